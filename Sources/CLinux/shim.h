// Linux calls that the Glibc module does not bring: epoll, eventfd, signalfd, timerfd, accept4.
#ifndef PARLOUR_CLINUX_H
#define PARLOUR_CLINUX_H
// No _GNU_SOURCE here: it changes the fields of types that the Glibc module has as well.
#include <stdint.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/random.h>

// Hidden behind _GNU_SOURCE. Neither this nor <sys/socket.h> belongs into a second module: Swift would
// then find the types of the Glibc module here only.
extern int accept4(int, void *, uint32_t *, int);
// The same goes for <time.h>, which <sys/timerfd.h> would bring along.
extern int timerfd_create(int, int);
extern int timerfd_settime(int, int, const void *, void *);

/// An accepted, non-blocking socket that children do not inherit; -1 and errno. `address` is a sockaddr.
static inline int lx_accept(int listener, void *address, uint32_t *length) {
  return accept4(listener, address, length, EFD_NONBLOCK | EFD_CLOEXEC);  // SOCK_… are the same bits
}

static inline int lx_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// `operation` is EPOLL_CTL_ADD, _MOD or _DEL; epoll_event is packed on x86-64, so it stays in C.
static inline int lx_epoll_control(int epoll, int operation, int descriptor, uint32_t events,
                                   uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t lx_epoll_token(const struct epoll_event *event) { return event->data.u64; }

static inline int lx_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// `set` is a sigset_t.
static inline int lx_signalfd(const void *set) {
  return signalfd(-1, (const sigset_t *)set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// A timer that becomes readable when CLOCK_REALTIME (0) is set; reading it then fails with ECANCELED. -1 and
/// errno where there is none.
static inline int lx_clock_watch(void) {
  int timer = timerfd_create(0, EFD_NONBLOCK | EFD_CLOEXEC);  // TFD_… are the same bits
  // struct itimerspec: interval and value, each of seconds and nanoseconds. In some hundred years.
  const long never[4] = {0, 0, 1L << (sizeof(long) == 8 ? 34 : 30), 0};
  const int absolute = 1, cancelOnSet = 2;
  if (timer >= 0) timerfd_settime(timer, absolute | cancelOnSet, never, NULL);
  return timer;
}

static inline ssize_t lx_getrandom(void *buffer, size_t count) {
  return getrandom(buffer, count, 0);
}
#endif
