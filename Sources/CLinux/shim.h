// Linux calls that the Glibc module does not bring: epoll, eventfd, signalfd, pipe2, accept4.
#ifndef PARLOUR_CLINUX_H
#define PARLOUR_CLINUX_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#endif
