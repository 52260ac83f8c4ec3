// ncurses with its wide-character interface, plus functions for what Swift cannot import:
// globals, cast macros and the variadic family.
#ifndef PARLOUR_CNCURSES_H
#define PARLOUR_CNCURSES_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdint.h>
#include <term.h>
#endif
