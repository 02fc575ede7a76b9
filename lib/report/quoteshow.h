/* quoteshow: the line of a finding, for a terminal. Private to report. */
#ifndef IKM_REPORT_QUOTESHOW_H
#define IKM_REPORT_QUOTESHOW_H

#include "judge/check.h"
#include "out/out.h"

/*
 * Prints the quoted line and a line of carets. A line wider than the terminal is cut around the
 * match. Prints nothing when the finding has no place, or the terminal is very narrow.
 */
void quote_show(struct out *o, const struct check_quote *q, enum out_style style);

#endif
