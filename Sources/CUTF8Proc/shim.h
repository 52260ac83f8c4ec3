// utf8proc: Unicode properties, among them the width of a character in terminal columns.
#ifndef PARLOUR_CUTF8PROC_H
#define PARLOUR_CUTF8PROC_H
#include <utf8proc.h>
#endif
