import CSQLite
import Channel
import Room
import Store
import TestKit
import Testing
import Text

@Suite struct SearchTests {
  private func store(_ texts: [String], _ folder: Folder) throws -> Store {
    let store = try folder.open()
    let messages = texts.enumerated().map { kept($0 + 1, $1, author: $0 % 2 == 0 ? "Ada" : "ko") }
    try store.write(records(messages), of: server)
    return store
  }

  private func find(_ text: String, in store: Store) throws -> [String] {
    try store.search(HistoryQuery(text: text)).map(\.kept.message.text.raw)
  }

  @Test(arguments: [
    ("build", ["the build is green", "rebuilding"]), ("BUILD green", ["the build is green"]),
    ("日本語", ["日本語の行も折り返す"]), ("折り", ["日本語の行も折り返す"]), ("行", ["日本語の行も折り返す"]),
    ("ÄRGER", ["ärger im büro"]), ("%", ["100 % sure"]), ("\"x\"", ["say \"x\" now"]),
    ("nothing of it", []), ("", []), ("   ", []), ("AND", ["sand and land"]),
    ("e is gr", ["the build is green"]),
    ("* OR NEAR(", []), ("ß", ["große"]),
  ])
  func textsAreFoundByPartsAndWords(text: String, expected: [String]) throws {
    let folder = try Folder()
    let store = try store(
      [
        "the build is green", "日本語の行も折り返す", "ärger im büro", "100 % sure", "say \"x\" now",
        "rebuilding", "sand and land", "große",
      ], folder)
    #expect(try find(text, in: store) == expected)
  }

  /// SQLite's tokenizer folds case by a table of its own, which lacks many letters.
  @Test(arguments: [
    "yarın İstanbul", "ᲗᲑᲘᲚᲘᲡᲘ", "თბილისი", "ΟΔΟΣ", "οδός", "ὈΔΎΣΣΕΙΑ", "ᎠᎡᎢᎣ", "ꭰꭱꭲꭳ", "𞤀𞤁𞤂𞤃",
    "𞤢𞤣𞤤𞤥", "ɜɜɜ", "ꞫꞫꞫ",
    "ȺȾɎ", "𐐀𐐁𐐂", "ꙖꙘꙚ", "ⰀⰁⰂ", "ԱԲԳԴ", "ẞẞẞ", "ŸÀÉÎ", "ПРИВЕТ", "Ђуро", "ǅǆǄ",
  ]) func wordsAreFoundAsTheyWereWrittenInAnyAlphabet(text: String) throws {
    let folder = try Folder()
    let store = try store(["* * *", text, "- - -"], folder)
    for isIndexed in [false, true] {
      if isIndexed { while try store.index(atMost: 10) {} }
      for word in text.split(separator: " ").map(String.init) {
        for form in [word, word.lowercased(), word.uppercased(), String(word.prefix(3))] {
          #expect(try find(form, in: store) == [text], "\(form)")
        }
        #expect(try find(String(word.prefix(2)), in: store) == [text])
        #expect(try find(String(word.prefix(1)), in: store) == [text])
      }
    }
  }

  @Test func lettersWithTwoSmallFormsAreOne() throws {
    let folder = try Folder()
    let store = try store(["İstanbul", "ISTANBUL", "οδος", "ΟΔΟΣ"], folder)
    for form in ["istanbul", "İSTANBUL", "ISTANBUL", "İst"] {
      #expect(Set(try find(form, in: store)) == ["İstanbul", "ISTANBUL"], "\(form)")
    }
    for form in ["οδος", "οδοσ", "ΟΔΟΣ"] {
      #expect(Set(try find(form, in: store)) == ["οδος", "ΟΔΟΣ"], "\(form)")
    }
  }

  @Test(arguments: ["ñu", "ÑU", "Ñu", "ñU"])
  func theCaseOfTwoLettersDoesNotCountInAnyAlphabet(text: String) throws {
    let folder = try Folder()
    let forms = ["ñu", "Ñu", "ÑU", "ñU"]
    let store = try store(forms + ["nu", "да", "n u"], folder)
    #expect(Set(try find(text, in: store)) == Set(forms))
    #expect(try find("Да", in: store) == ["да"])
    #expect(Set(try find("ñ", in: store)) == Set(forms))
  }

  @Test func wordsThatStandAloneAndOftenComeFirstThenTheNewest() throws {
    let folder = try Folder()
    let store = try store(
      ["scatter them all", "cat in a hat", "cat cat cat cat", "cat in a bag", "a dog"], folder)
    #expect(
      try find("cat", in: store)
        == ["cat cat cat cat", "cat in a bag", "cat in a hat", "scatter them all"])
  }

  @Test func trigramsThatStandApartAreNoWord() throws {
    let folder = try Folder()
    let store = try store(["abc bcd", "abcd"], folder)
    #expect(try find("abcd", in: store) == ["abcd"])
  }

  @Test func roomAuthorAndTimeNarrowTheSearch() throws {
    let folder = try Folder()
    let store = try folder.open()
    try store.write(
      records([kept(1, "hello 1", author: "Ada"), kept(2, "hello 2", author: "ko")])
        + records([kept(3, "hello 3", author: "Ada")], in: "kitchen"), of: server)
    func find(_ change: (inout HistoryQuery) -> Void) throws -> [String] {
      var query = HistoryQuery(text: "hello")
      change(&query)
      return try store.search(query).map(\.kept.message.id)
    }
    #expect(try find { $0.room = "kitchen" } == ["m3"])
    #expect(try find { $0.author = "ada" } == ["m3", "m1"])
    #expect(try find { $0.since = kept(2).time } == ["m3", "m2"])
    #expect(try find { $0.until = kept(2).time } == ["m1"])
    #expect(try find { $0.limit = 1 } == ["m3"])
    #expect(try store.search(HistoryQuery(text: "hello"))[0].room == "kitchen")
  }

  @Test(arguments: [true, false], ["behind", "nd", "before behind", "日本語", "a\0behind", "\0"])
  func whatStandsBehindANULIsFound(isIndexed: Bool, words: String) throws {
    let folder = try Folder()
    let text = "before a\0behind\0\0日本語"
    let store = try store([text, "other"], folder)
    if isIndexed { while try store.index(atMost: 10) {} }
    #expect(try find(words, in: store) == (words == "\0" ? [] : [text]))
    let reader = try Store(reading: folder.path)
    #expect(try find(words, in: reader) == (words == "\0" ? [] : [text]))
    #expect(try store.forget(server: nil, room: nil) == 2)
    #expect(try find(words, in: store) == [] && store.faults() == [])
  }

  /// An import brings messages behind all others that are older than they.
  @Test(arguments: ["zebra", "ze", "zebra ze"], [true, false])
  func amongManyTheNewestByTheirTimesAreFound(words: String, isIndexed: Bool) throws {
    let folder = try Folder()
    let store = try folder.open()
    func add(_ times: [Int], _ name: String) throws {
      let messages = times.enumerated().map { number, time in
        kept(number + 1, "zebra ze", id: "\(name)\(number)", time: Int64(time))
      }
      try store.write(records(messages), of: server)
      if isIndexed { while try store.index(atMost: 700) {} }
    }
    try add(Array(100_000..<103_000), "new")
    try add(Array(1..<2_501), "old")
    var random = SplitMix(state: 7)
    try add((0..<4_000).map { _ in 50_000 + random.below(53_000) }, "mixed")
    var query = HistoryQuery(text: words)
    query.limit = 5_000
    let found = try store.search(query).map { Int($0.kept.time.milliseconds) }
    #expect(found.count == 2_000 && found == found.sorted(by: >))
    let all = try store.transcriptTimes()
    #expect(found == Array(all.sorted(by: >).prefix(2_000)))
    // Bounds do not hide what lies between.
    query.until = Timestamp(milliseconds: 40_000)
    #expect(try store.search(query).map { Int($0.kept.time.milliseconds) }.first == 2_500)
    // What is deleted takes no place of others.
    _ = try store.prune(before: Timestamp(milliseconds: 102_990))
    query.until = nil
    #expect(try store.search(query).allSatisfy { $0.kept.time.milliseconds >= 102_990 })
    try add([500_000], "last")
    #expect(try store.search(query).first?.kept.message.id == "last0")
    #expect(try store.faults() == [])
  }

  @Test func whatWasPrunedIsNotFoundAndWhatComesAfterIs() throws {
    let folder = try Folder()
    let store = try store((1...50).map { "common word \($0)" }, folder)
    #expect(try find("word 50", in: store).count == 1)
    #expect(try store.prune(before: kept(50).time) == 49)
    #expect(try store.prune(before: kept(51).time) == 1)
    #expect(try find("common", in: store) == [])
    // The keys of those that are gone are given out again.
    try store.write(records([kept(60, "common again"), kept(61, "other")]), of: server)
    #expect(try find("common", in: store) == ["common again"])
    #expect(try store.faults() == [])
    #expect(try store.figures().messages == 2)
  }

  @Test func whatCannotBeIndexedIsFoundAllTheSame() throws {
    let folder = try Folder()
    let store = try folder.open(patience: 0)
    try store.write(records([kept(1, "in the index"), kept(2, "nothing")]), of: server)
    try store.index(atMost: 10)
    try store.write(records([kept(3, "not in the INDEX yet"), kept(4, "nothing")]), of: server)
    var lock: OpaquePointer?
    #expect(sqlite3_open(folder.file, &lock) == SQLITE_OK)
    defer { sqlite3_close(lock) }
    #expect(sqlite3_exec(lock, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    #expect(try find("index", in: store) == ["in the index", "not in the INDEX yet"])
    #expect(try find("in", in: store).count == 4)
    let reader = try Store(reading: folder.path)
    #expect(try find("index", in: reader) == ["in the index", "not in the INDEX yet"])
    #expect(try reader.figures().messages == 4)
    #expect(try reader.recall("lobby", of: server, messages: 1).texts == ["nothing"])
  }
}

extension Store {
  fileprivate func transcriptTimes() throws -> [Int] {
    var times: [Int] = []
    try forEachMessage { message in
      times.append(Int(message.kept.time.milliseconds))
      return true
    }
    return times
  }
}
