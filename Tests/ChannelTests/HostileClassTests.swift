import Channel
import JSON
import Testing
import Text

/// Every class of a hostile server that the issue names, through the whole session: what is shown is what the server
/// has, once each and in order; the reason is told; waits grow; nothing hangs.
@Suite struct HostileClassTests {
  static let classes: [HostileClass] = [
    HostileClass.acknowledgements, HostileClass.early, HostileClass.strangeIDs,
    HostileClass.wrongIDs, HostileClass.missingIDs, HostileClass.errors,
    HostileClass.brokenFrames, HostileClass.frames, HostileClass.silences, HostileClass.flaps,
  ].flatMap { $0 }

  /// The subscription takes a cursor, or it does not and the history alone closes gaps.
  static let profiles = [true, false].map { resumes in
    var profile = Profile.builtIn
    profile.liveResumes = resumes
    return profile
  }

  @Test("every class of hostility is borne", arguments: classes)
  func classIsBorne(_ hostility: HostileClass) throws { try Self.check(hostility) }

  @Test("table 1.3: what follows each close code", arguments: HostileClass.closes)
  func closeCode(_ hostility: HostileClass) throws { try Self.check(hostility) }

  @Test("section 1.4: each way to refuse ends with its reason", arguments: HostileClass.refusals)
  func refusal(_ hostility: HostileClass) throws { try Self.check(hostility) }

  @Test("section 1.5: the ways of real servers are borne", arguments: HostileClass.ways)
  func wayOfAServer(_ hostility: HostileClass) throws { try Self.check(hostility) }

  @Test("rule H5: what follows other answers to the upgrade", arguments: HostileClass.answers)
  func ruleH5(_ hostility: HostileClass) throws { try Self.check(hostility) }

  private static func check(_ hostility: HostileClass) throws {
    for profile in profiles {
      var run = try HostileRun(
        at: hostility.moment, hostility.steps, everyLine: hostility.isEveryLine, profile: profile)
      run.run()
      let told = run.told
      #expect(
        hostility.told.isEmpty || told.contains { $0.contains(hostility.told) }, "\(told)")
      for sentence in told { #expect(sentence.utf8.count < 1_000) }
      checkMessages(of: run, hostility)
      checkWaits(of: run)
      checkEnd(of: run, hostility)
    }
  }

  private static func checkMessages(of run: HostileRun, _ hostility: HostileClass) {
    var ids = run.shown.map(\.id)
    let stored = run.store.map(\.id)
    guard case .everything = hostility.outcome else {
      // What was shown before the end is what the server had then.
      #expect(ids == Array(stored.prefix(ids.count)))
      return
    }
    // A history that failed first comes behind what was said in the meantime.
    if hostility.isLate {
      ids.sort { $0.dropFirst().count == $1.dropFirst().count ? $0 < $1 : $0.count < $1.count }
    }
    #expect(ids == stored)
    let texts = Dictionary(uniqueKeysWithValues: run.store.map { ($0.id, $0.text) })
    #expect(run.shown.allSatisfy { $0.text.raw == texts[$0.id] })
    #expect(run.store.filter { $0.nonce == HostileRun.nonce }.count <= 1)
  }

  /// The delay doubles from one second to a minute for as long as no line has held.
  private static func checkWaits(of run: HostileRun) {
    for (index, wait) in run.waits.enumerated() {
      #expect(wait >= .seconds(min(60, 1 << min(index, 6))), "\(run.waits)")
    }
  }

  private static func checkEnd(of run: HostileRun, _ hostility: HostileClass) {
    switch hostility.outcome {
    case .everything(let line):
      #expect(run.lines == line, "\(run.told)")
      #expect(run.ends == [hostility.post])
      guard case .online = run.session.state else {
        Issue.record("ended as \(run.session.state)")
        return
      }
    case .refused:
      #expect(run.lines == 1)
      guard case .offline(.refused) = run.session.state else {
        Issue.record("ended as \(run.session.state)")
        return
      }
    case .stopped:
      #expect(run.lines == 1)
      guard case .offline(.gaveUp(1, _)) = run.session.state else {
        Issue.record("ended as \(run.session.state)")
        return
      }
    case .gaveUp:
      #expect(run.lines == 10)
      #expect(run.waits.count == 9)
      guard case .offline(.gaveUp(10, _)) = run.session.state else {
        Issue.record("ended as \(run.session.state)")
        return
      }
    }
  }

  /// A line that has held for a while begins the row anew; one that never holds ends in the end.
  @Test func aLineThatHeldBeginsTheWaitsAnew() throws {
    var run = try HostileRun(
      at: .history, [.honest, .pause(.seconds(6)), .cut], everyLine: true)
    run.limit = Instant(.seconds(600))
    run.run()
    #expect(run.lines > 60)
    #expect(Set(run.waits) == [.seconds(1)])
    #expect(run.shown.map(\.id) == run.store.map(\.id))
  }

  static let repeats: [Profile.Repeat] = [.safe, .lookup, .ask]

  /// Drops before, in and after every message of the server, the upgrade too: at each byte of the exchange.
  @Test(arguments: repeats)
  func aCutAtAnyByteFromTheServerLosesAndDoublesNothing(rule: Profile.Repeat) throws {
    for (profile, positions) in try Self.cuts(rule, \.sentDown) {
      for position in positions {
        var run = try HostileRun(profile: profile)
        run.allowanceDown = position
        Self.checkCut(&run, "\(position) bytes from the server, \(rule)")
      }
    }
  }

  /// The same at each byte that the client sends.
  @Test(arguments: repeats)
  func aCutAtAnyByteFromTheClientLosesAndDoublesNothing(rule: Profile.Repeat) throws {
    for (profile, positions) in try Self.cuts(rule, \.sentUp) {
      for position in positions {
        var run = try HostileRun(profile: profile)
        run.allowanceUp = position
        Self.checkCut(&run, "\(position) bytes to the server, \(rule)")
      }
    }
  }

  /// How many bytes go by before the cut. Each byte's turn comes under one of the rules and one of the profiles.
  private static func cuts(
    _ rule: Profile.Repeat, _ bytes: (HostileRun) -> Int
  ) throws -> [(Profile, StrideTo<Int>)] {
    try profiles.enumerated().map { index, profile in
      var profile = profile
      profile.postRepeat = rule
      var whole = try HostileRun(profile: profile)
      whole.limit = Instant(.seconds(20))
      whole.run()
      #expect(bytes(whole) > 1_000)
      let first = 1 + index + profiles.count * (repeats.firstIndex(of: rule) ?? 0)
      return (
        profile, stride(from: first, to: bytes(whole) + 1, by: profiles.count * repeats.count)
      )
    }
  }

  private static func checkCut(_ run: inout HostileRun, _ place: String) {
    run.limit = Instant(.seconds(60))
    run.run()
    let rule = run.profile.postRepeat
    #expect(run.lines == 2, "\(place): \(run.told)")
    #expect(run.shown.map(\.id) == run.store.map(\.id), "\(place)")
    let posted = run.received.filter {
      $0["payload"]?["query"]?.string?.hasPrefix("mutation") == true
    }
    switch rule {
    case .safe:
      #expect(run.ends == ["sent"], "\(place)")
      #expect(posted.count <= 2, "\(place)")
    case .lookup:
      // Said to be unsure until the history has been looked through.
      #expect(run.ends.last == "sent", "\(place): \(run.ends)")
      #expect(run.ends.filter { $0 == "sent" }.count == 1, "\(place)")
    case .ask:
      // Never repeated by itself; that it arrived may turn out later.
      #expect(posted.count <= 1, "\(place)")
      #expect(
        run.ends == ["sent"] || run.ends == ["unsure"] || run.ends == ["unsure", "sent"],
        "\(place): \(run.ends)")
    }
    let mine = run.store.filter { $0.nonce == HostileRun.nonce }
    #expect(rule == .ask ? mine.count <= 1 : mine.count == 1, "\(place)")
  }
}
