// ncurses with its wide-character interface, plus functions for what Swift cannot import:
// globals, cast macros and the variadic family.
#ifndef PARLOUR_CNCURSES_H
#define PARLOUR_CNCURSES_H
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <term.h>
#include <unistd.h>

// Hidden by <wchar.h> unless _XOPEN_SOURCE is set, which the importer does not do.
extern int wcwidth(wchar_t scalar);

// One terminal: ncurses wants FILE pointers, which stay on this side of the border.
typedef struct pc_terminal {
  void *screen;
  void *output;
  void *input;
  // Memory that takes what an update writes, and the terminal's descriptor meanwhile; -1 where there is none.
  int gathered;
  int aside;
  int is_gathering;
} pc_terminal;

static inline void pc_close(pc_terminal *terminal) {
  if (terminal->screen) delscreen((SCREEN *)terminal->screen);
  if (terminal->output) fclose((FILE *)terminal->output);
  if (terminal->input) fclose((FILE *)terminal->input);
  if (terminal->gathered >= 0) close(terminal->gathered);
  if (terminal->aside >= 0) close(terminal->aside);
  terminal->screen = terminal->output = terminal->input = NULL;
  terminal->gathered = terminal->aside = -1;
  terminal->is_gathering = 0;
}

// Opens copies of the descriptors, so that closing leaves the caller's alone. OK or ERR.
static inline int pc_open(pc_terminal *terminal, const char *type, int output, int input) {
  terminal->screen = terminal->output = terminal->input = NULL;
  terminal->gathered = terminal->aside = -1;
  terminal->is_gathering = 0;
  int output_copy = dup(output), input_copy = dup(input);
  if (output_copy >= 0 && !(terminal->output = fdopen(output_copy, "w"))) close(output_copy);
  if (input_copy >= 0 && !(terminal->input = fdopen(input_copy, "r"))) close(input_copy);
  if (terminal->output && terminal->input)
    terminal->screen = newterm(type, (FILE *)terminal->output, (FILE *)terminal->input);
  if (terminal->screen) {
    terminal->gathered = (int)syscall(SYS_memfd_create, "parlour-update", 1U /* MFD_CLOEXEC */);
    terminal->aside = fcntl(output, F_DUPFD_CLOEXEC, 3);
    return OK;
  }
  pc_close(terminal);
  return ERR;
}

// Until pc_end_gathering, what ncurses writes is gathered in memory: 6.4 hands on what it has at each motion of the
// cursor, and the terminal would see a frame in dozens of pieces. Where that does not work ncurses writes by itself.
static inline void pc_begin_gathering(pc_terminal *terminal) {
  if (terminal->gathered < 0 || terminal->aside < 0) return;
  if (lseek(terminal->gathered, 0, SEEK_SET) == 0)
    terminal->is_gathering = dup2(terminal->gathered, fileno((FILE *)terminal->output)) >= 0;
}

// Returns how many bytes are there to be written, or -1 where ncurses wrote them itself.
static inline long pc_end_gathering(pc_terminal *terminal) {
  if (!terminal->is_gathering) return -1;
  while (dup2(terminal->aside, fileno((FILE *)terminal->output)) < 0 && errno == EINTR) continue;
  terminal->is_gathering = 0;
  return (long)lseek(terminal->gathered, 0, SEEK_CUR);
}

// Copies what was gathered last. Returns how many bytes that are, or -1.
static inline long pc_take_gathered(pc_terminal *terminal, void *bytes, long count) {
  return (long)pread(terminal->gathered, bytes, (size_t)count, 0);
}

static inline WINDOW *pc_window(void) { return stdscr; }
// The whole screen is sent anew by the next doupdate.
static inline void pc_clear_next(void) { clearok(curscr, TRUE); }
static inline int pc_colors(void) { return COLORS; }
static inline int pc_color_pairs(void) { return COLOR_PAIRS; }

static inline uint32_t pc_bold(void) { return (uint32_t)WA_BOLD; }
static inline uint32_t pc_dim(void) { return (uint32_t)WA_DIM; }
static inline uint32_t pc_italic(void) { return (uint32_t)WA_ITALIC; }
static inline uint32_t pc_underline(void) { return (uint32_t)WA_UNDERLINE; }
static inline uint32_t pc_reverse(void) { return (uint32_t)WA_REVERSE; }

// The columns that libc gives a scalar: -1 if it does not know it.
static inline int pc_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

// Writes one cell: a spacing scalar and the marks on it. Always ERR in the last cell of the screen, since
// the cursor cannot go on from there; the cell is written all the same.
static inline int pc_put(int row, int column, const uint32_t *scalars, int count, uint32_t attributes,
                         int pair) {
  wchar_t text[CCHARW_MAX + 1];
  int n = count < CCHARW_MAX ? count : CCHARW_MAX;
  for (int i = 0; i < n; ++i) text[i] = (wchar_t)scalars[i];
  text[n] = L'\0';
  cchar_t cell;
  // The last argument carries the pair in 32 bits, beyond what fits into a short.
  if (setcchar(&cell, text, (attr_t)attributes, 0, &pair) == ERR) return ERR;
  return mvwadd_wch(stdscr, row, column, &cell);
}

// The same for one byte of printable ASCII.
static inline int pc_put_byte(int row, int column, uint8_t byte, uint32_t attributes, int pair) {
  uint32_t scalar = byte;
  return pc_put(row, column, &scalar, 1, attributes, pair);
}

// Reads one cell back. Returns the number of scalars (at most CCHARW_MAX), or -1.
static inline int pc_read(int row, int column, uint32_t *scalars, uint32_t *attributes, int *pair) {
  cchar_t cell;
  if (mvwin_wch(stdscr, row, column, &cell) == ERR) return -1;
  wchar_t text[CCHARW_MAX + 1];
  attr_t found = 0;
  short unused = 0;
  if (getcchar(&cell, text, &found, &unused, pair) == ERR) return -1;
  int n = 0;
  while (n < CCHARW_MAX && text[n]) {
    scalars[n] = (uint32_t)text[n];
    ++n;
  }
  *attributes = (uint32_t)found;
  return n;
}

// Looks a terminal up: 1 found, 0 unknown, -1 no terminfo at all. What it found is current until
// pc_forget_description.
static inline int pc_describe(const char *type, int output) {
  int found = 0;
  setupterm(type, output, &found);
  return found;
}

static inline void pc_forget_description(void) {
  if (cur_term) del_curterm(cur_term);
}

// The short names of all capabilities by kind, each in the order of a compiled entry; NULL behind the last.
static inline const char *pc_flag_name(int index) { return boolnames[index]; }
static inline const char *pc_number_name(int index) { return numnames[index]; }
static inline const char *pc_string_name(int index) { return strnames[index]; }

// Where ncurses has the terminal's cursor since the last doupdate.
static inline void pc_cursor(int *row, int *column) {
  *row = getcury(curscr);
  *column = getcurx(curscr);
}

// A capability of the current description with one number put in, or NULL. Good until the next call.
static inline const char *pc_capability_with(const char *name, int number) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 || !value ? NULL : tiparm(value, number);
}

// A string of the current description, or NULL.
static inline const char *pc_capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}
#endif
