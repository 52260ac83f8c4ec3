import CLinux

/// epoll for one thread. Filled in by the network module.
package final class Reactor {
  package init() {}
}
