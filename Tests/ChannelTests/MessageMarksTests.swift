import Channel
import Testing
import Text

@Suite struct MessageMarksTests {
  private static func message(
    _ text: String, edited: Int64? = nil, isEdited: Bool = false, deleted: Bool = false,
    revision: Int64? = nil
  ) -> ChatMessage {
    var message = ChatMessage(id: "m1", author: UntrustedText("ada"), text: UntrustedText(text))
    message.marks.isEdited = isEdited || edited != nil
    message.marks.editedAt = edited.map { Timestamp(milliseconds: $0) }
    message.marks.isDeleted = deleted
    message.marks.revision = revision
    return message
  }

  /// The last form that is left of some that come in a row, whatever their order.
  private static func last(_ forms: [ChatMessage]) -> ChatMessage? {
    forms.dropFirst().reduce(forms.first) { known, form in known?.changed(by: form) ?? known }
  }

  @Test func theServersCountDecidesWhateverTheOrder() {
    let forms = [
      Self.message("a"), Self.message("b", edited: 1, revision: 3),
      Self.message("c", edited: 1, revision: 5),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(Self.last(order.map { forms[$0] })?.text.raw == "c", "\(order)")
    }
  }

  @Test func withoutACountTheTimeOfTheEditDecides() {
    let forms = [
      Self.message("a"), Self.message("b", edited: 1_000), Self.message("c", edited: 2_000),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 1, 0]] {
      #expect(Self.last(order.map { forms[$0] })?.text.raw == "c", "\(order)")
    }
  }

  @Test func whatWasDeletedStaysDeleted() {
    let gone = Self.message("", deleted: true)
    #expect(Self.last([Self.message("a"), gone, Self.message("a")])?.isDeleted == true)
    #expect(Self.last([gone, Self.message("b", edited: 9)])?.isDeleted == true)
  }

  @Test func aDuplicateChangesNothing() {
    let form = Self.message("b", edited: 1_000, revision: 2)
    #expect(form.changed(by: form) == nil)
    #expect(Self.message("a").changed(by: Self.message("a")) == nil)
  }

  @Test func whereNobodySaysSoAnotherTextIsAnEditEachTime() {
    let first = Self.message("a").changed(by: Self.message("b", isEdited: true))
    #expect(first?.marks.isEdited == true)
    #expect(first?.changed(by: Self.message("c", isEdited: true))?.text.raw == "c")
    #expect(Self.message("a").changed(by: Self.message("a", isEdited: true)) == nil)
  }

  @Test(arguments: [0, 1, .max - 1, .max]) func oneMoreThanAnyNumberOfReactionsCanBePutToIt(
    count: Int
  ) {
    var message = Self.message("a")
    message.marks.reactions = [Reaction(UntrustedText("👍"), count: count)]
    let liked = message.changed(by: .react("👍"), nick: "eve")
    #expect(liked?.marks.reactions.first?.count == (count == .max ? .max : count + 1))
    let back = liked?.changed(by: .unreact("👍"), nick: "eve")
    #expect(back?.marks.reactions.first?.isBy("eve") != true)
  }

  @Test func aChangeIsMadeHereWhereTheServerGivesNoMessageBack() {
    let liked = Self.message("a").changed(by: .react("👍"), nick: "eve")
    #expect(liked?.marks.reactions.first?.count == 1)
    #expect(liked?.changed(by: .react("👍"), nick: "eve") == nil)
    let twice = liked?.changed(by: .react("👍"), nick: "bob")
    #expect(twice?.marks.reactions.first?.count == 2)
    let back = twice?.changed(by: .unreact("👍"), nick: "eve")?.changed(
      by: .unreact("👍"), nick: "bob")
    #expect(back?.marks.reactions == [])
    #expect(liked?.changed(by: .delete, nick: "ada")?.text.raw == "")
    #expect(liked?.changed(by: .edit("b"), nick: "ada")?.marks.isEdited == true)
  }
}
