/* Declarations for edit.c, ends.c and near.c. */
#ifndef IKM_FILE_EDITING_H
#define IKM_FILE_EDITING_H

#include "file/file.h"

/*
 * Converts the line ends of both texts to those of the content, unless edit->exact is set or the
 * old text matches with its own.
 */
void file_edit_in_kind(struct arena *a, struct str content, struct file_edit *edit,
		       struct file_edited *done);
/* Sets done->mixed for the result `out` of inserting `new`. */
void file_check_mixed(struct str out, struct str new, bool exact, struct file_edited *done);
/*
 * Makes the error NO_SUCH_TEXT. Its details: nearestLine and nearest, the first line of the content
 * that differs; oldLine and wanted, the line of the old text that it was compared with; differs,
 * the difference in words.
 */
struct err *file_no_such_text(struct arena *a, struct str content, struct str old) MUST_USE;

#endif
