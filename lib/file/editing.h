/* What edit.c, ends.c and near.c share. */
#ifndef IKM_FILE_EDITING_H
#define IKM_FILE_EDITING_H

#include "file/file.h"

/* Gives both texts the line ends of the content, where they were typed with others. */
void file_edit_in_kind(struct arena *a, struct str content, struct file_edit *edit,
		       struct file_edited *done);
/* Sets done->mixed: of a result that `new` was put into. */
void file_check_mixed(struct str out, struct str new, bool exact, struct file_edited *done);
/*
 * NO_SUCH_TEXT. Details: nearestLine and nearest, the raw line of the content that differs first;
 * oldLine and wanted, the line of the old text that it was compared with; differs, in words.
 */
struct err *file_no_such_text(struct arena *a, struct str content, struct str old) MUST_USE;

#endif
