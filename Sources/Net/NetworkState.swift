import Glibc

/// Something changed in the machine's network, with words for a log such as "the link eth0 came up".
package enum NetworkEvent: Equatable, Sendable {
  /// There may be a way now where there was none.
  case appeared(String)
  /// A line that stands may have lost its way.
  case vanished(String)
}

/// What rtnetlink tells about links, addresses and default routes (rtnetlink(7)), compared with what was there
/// before: the kernel repeats itself, above all about IPv6 addresses, whenever a router says that it is there.
///
/// Loopback, addresses for one link only and routes to single networks are of no account.
struct NetworkState: Equatable, Sendable {
  private struct Address: Hashable {
    var index: UInt32
    var bytes: [UInt8]
  }

  /// More than these are forgotten, and counted as new when they are told of again.
  private static let mostKnown = 8192

  /// The netlink port on which lists are asked for: what is sent to it answers a question.
  private let port: UInt32
  private var upLinks: Set<UInt32> = []
  private var addresses: Set<Address> = []
  /// The last list that was asked for has come to its end.
  private(set) var isListComplete = false

  init(port: UInt32) {
    self.port = port
  }

  /// Reads what one datagram holds. Messages that are cut, lie or are of no interest are passed over.
  mutating func take(_ datagram: [UInt8]) -> [NetworkEvent] {
    isListComplete = false
    var events: [NetworkEvent] = []
    var rest = NetlinkReader(datagram)
    while let message = rest.nextMessage() {
      let isAnswer = message.port == port
      switch message.type {
      case Kind.done, Kind.error: isListComplete = isListComplete || isAnswer
      default:
        // What was asked for tells how things stand, and nothing new.
        if let event = take(message), !isAnswer { events.append(event) }
      }
    }
    return events
  }

  private mutating func take(_ message: NetlinkReader.Message) -> NetworkEvent? {
    if upLinks.count + addresses.count > Self.mostKnown {
      self = NetworkState(port: port)
    }
    switch message.type {
    case Kind.newLink, Kind.deletedLink: return takeLink(message)
    case Kind.newAddress, Kind.deletedAddress: return takeAddress(message)
    case Kind.newRoute, Kind.deletedRoute: return Self.route(message)
    default: return nil
    }
  }

  /// struct ifinfomsg: family, type, index, flags.
  private mutating func takeLink(_ message: NetlinkReader.Message) -> NetworkEvent? {
    guard let index = message.word(at: 4), let flags = message.word(at: 8),
      flags & LinkFlag.loopback == 0
    else { return nil }
    let isUp =
      message.type == Kind.newLink && flags & LinkFlag.up != 0 && flags & LinkFlag.lowerUp != 0
    let name = message.attribute(3, behind: 16).map { shown($0.prefix { $0 != 0 }) } ?? "\(index)"
    if isUp {
      return upLinks.insert(index).inserted ? .appeared("the link \(name) came up") : nil
    }
    return upLinks.remove(index) != nil ? .vanished("the link \(name) went down") : nil
  }

  /// struct ifaddrmsg: family, length of the prefix, flags, scope, index of the link.
  private mutating func takeAddress(_ message: NetlinkReader.Message) -> NetworkEvent? {
    guard let family = message.byte(at: 0), let flags = message.byte(at: 2),
      let scope = message.byte(at: 3), scope < Scope.link, let index = message.word(at: 4),
      // Of IPv4 the second is the own end of a line between two; the first is its other end.
      let bytes = message.attribute(2, behind: 8) ?? message.attribute(1, behind: 8)
    else { return nil }
    let words = Self.digits(family: Int32(family), bytes)
    let address = Address(index: index, bytes: bytes)
    if message.type == Kind.deletedAddress {
      return addresses.remove(address) != nil ? .vanished("the address \(words) went away") : nil
    }
    // One that may be somebody else's still is told of again once it is ours.
    guard flags & AddressFlag.tentative == 0 else { return nil }
    return addresses.insert(address).inserted ? .appeared("the address \(words) is new") : nil
  }

  private static func digits(family: Int32, _ bytes: [UInt8]) -> String {
    guard bytes.count == (family == AF_INET6 ? 16 : 4) else { return "of another kind" }
    var text = [CChar](repeating: 0, count: 64)
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "unknown" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// struct rtmsg: family, length of the destination's prefix, …, type at 7, flags at 8.
  private static func route(_ message: NetlinkReader.Message) -> NetworkEvent? {
    guard let family = message.byte(at: 0), message.byte(at: 1) == 0,
      message.byte(at: 7) == RouteType.unicast, let flags = message.word(at: 8),
      flags & RouteFlag.cloned == 0
    else { return nil }
    let version = family == UInt8(AF_INET6) ? "IPv6" : "IPv4"
    return message.type == Kind.newRoute
      ? .appeared("\(version) has a new default route")
      : .vanished("a default route of \(version) went away")
  }

  /// nlmsghdr.nlmsg_type, of <linux/netlink.h> and <linux/rtnetlink.h>.
  private enum Kind {
    static let error: UInt16 = 2
    static let done: UInt16 = 3
    static let newLink: UInt16 = 16
    static let deletedLink: UInt16 = 17
    static let newAddress: UInt16 = 20
    static let deletedAddress: UInt16 = 21
    static let newRoute: UInt16 = 24
    static let deletedRoute: UInt16 = 25
  }

  /// IFF_… of <linux/if.h>.
  private enum LinkFlag {
    static let up: UInt32 = 1
    static let loopback: UInt32 = 8
    /// There is a carrier.
    static let lowerUp: UInt32 = 1 << 16
  }

  /// IFA_F_…, RT_SCOPE_…, RTN_… and RTM_F_….
  private enum AddressFlag { static let tentative: UInt8 = 0x40 }
  private enum Scope { static let link: UInt8 = 253 }
  private enum RouteType { static let unicast: UInt8 = 1 }
  private enum RouteFlag { static let cloned: UInt32 = 0x200 }
}
