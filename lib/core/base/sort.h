/* sort: an order over the elements of a list that leaves the list as it is. */
#pragma once

#include "base/base.h"

typedef int sort_order_fn(const void *x, const void *y);

/* Pointers to the n elements in this order; of equal elements the first comes first. */
void *sort_into_pointers(struct arena *a, const void *list, size_t n, size_t size,
			 sort_order_fn *by);
/* The first element of such a list that is equal to the key; NULL: there is none. */
void *sort_pointers_find(const void *pointers, size_t n, const void *key, sort_order_fn *by);
