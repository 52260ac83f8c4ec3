/// The rules for fields, arguments and directives (GraphQL specification, sections 5.3, 5.4, 5.6 and 5.7).
extension GraphQLValidator {
  /// Recursion is bounded by the parser's depth.
  mutating func checkSelections(
    _ selections: [GraphQLSelection], on type: GraphQLSchema.TypeDefinition, depth: Int,
    _ uses: inout Uses
  ) {
    uses.deepest = max(uses.deepest, depth)
    for selection in selections {
      switch selection {
      case .field(let field):
        checkDirectives(field.directives, at: "FIELD", &uses)
        checkField(field, on: type, depth: depth, &uses)
      case .spread(let spread):
        checkDirectives(spread.directives, at: "FRAGMENT_SPREAD", &uses)
        uses.spreads.append(Uses.Spread(name: spread.name, offset: spread.offset, depth: depth))
        guard let fragment = document.fragment(named: spread.name) else {
          report("Unknown fragment \"\(spread.name)\".", at: spread.offset)
          continue
        }
        checkSpread(
          of: fragment.typeCondition, on: type, "Fragment \"\(spread.name)\"", at: spread.offset)
      case .inline(let inline):
        checkDirectives(inline.directives, at: "INLINE_FRAGMENT", &uses)
        checkInline(inline, on: type, depth: depth, &uses)
      }
    }
  }

  private mutating func checkField(
    _ field: GraphQLField, on type: GraphQLSchema.TypeDefinition, depth: Int, _ uses: inout Uses
  ) {
    guard let definition = schema.field(named: field.name, of: type) else {
      report("Cannot query field \"\(field.name)\" on type \"\(type.name)\".", at: field.offset)
      passedOver = true
      return
    }
    checkArguments(
      field.arguments, of: definition.arguments,
      Place(
        unknown: "field \"\(type.name).\(field.name)\"", missing: "Field \"\(field.name)\"",
        offset: field.offset), &uses)
    guard let inner = schema.type(named: definition.type.innermost), inner.isComposite else {
      if !field.selections.isEmpty {
        report(
          "Field \"\(field.name)\" must not have a selection since type \"\(definition.type.description)\" has no subfields.",
          at: field.offset)
        passedOver = true
      }
      return
    }
    if field.selections.isEmpty {
      report(
        "Field \"\(field.name)\" of type \"\(definition.type.description)\" must have a selection of subfields. Did you mean \"\(field.name) { ... }\"?",
        at: field.offset)
    }
    checkSelections(field.selections, on: inner, depth: depth + 1, &uses)
  }

  private mutating func checkInline(
    _ inline: GraphQLInlineFragment, on type: GraphQLSchema.TypeDefinition, depth: Int,
    _ uses: inout Uses
  ) {
    var inner = type
    if let condition = inline.typeCondition {
      guard let found = compositeType(condition, of: "Fragment", at: inline.offset) else { return }
      checkSpread(of: condition, on: type, "Fragment", at: inline.offset)
      inner = found
    }
    checkSelections(inline.selections, on: inner, depth: depth + 1, &uses)
  }

  /// Some object must be of both types (section 5.5.2.3).
  private mutating func checkSpread(
    of condition: String, on type: GraphQLSchema.TypeDefinition, _ holder: String, at offset: Int
  ) {
    guard condition != type.name, let inner = schema.type(named: condition), inner.isComposite,
      Set(schema.possibleTypes(of: inner)).isDisjoint(with: schema.possibleTypes(of: type))
    else { return }
    report(
      "\(holder) cannot be spread here as objects of type \"\(type.name)\" can never be of type \"\(condition)\".",
      at: offset)
  }

  // MARK: Arguments

  /// How messages name what the arguments belong to.
  struct Place {
    var unknown: String
    var missing: String
    var offset: Int
  }

  private mutating func checkArguments(
    _ arguments: [GraphQLArgument], of definitions: [GraphQLSchema.InputDefinition],
    _ place: Place, _ uses: inout Uses
  ) {
    var given: Set<String> = []
    for argument in arguments {
      if !given.insert(argument.name).inserted {
        report(
          "There can be only one argument named \"\(argument.name)\".", at: argument.offset)
      }
      guard let definition = definitions.first(where: { $0.name == argument.name }) else {
        report(
          "Unknown argument \"\(argument.name)\" on \(place.unknown).", at: argument.offset)
        passedOver = true
        continue
      }
      checkValue(
        argument.value, for: definition.type, hasDefault: definition.defaultValue != nil, &uses)
    }
    for definition in definitions where definition.isRequired && !given.contains(definition.name) {
      report(
        "\(place.missing) argument \"\(definition.name)\" of type \"\(definition.type.description)\" is required, but it was not provided.",
        at: place.offset)
    }
  }

  // MARK: Directives

  mutating func checkDirectives(
    _ directives: [GraphQLDirective], at location: String, _ uses: inout Uses
  ) {
    var given: Set<String> = []
    for directive in directives {
      guard let definition = schema.directives.first(where: { $0.name == directive.name }) else {
        report("Unknown directive \"@\(directive.name)\".", at: directive.offset)
        passedOver = true
        continue
      }
      if !definition.locations.contains(location) {
        report(
          "Directive \"@\(directive.name)\" may not be used on \(location).", at: directive.offset)
      }
      if !definition.isRepeatable, !given.insert(directive.name).inserted {
        report(
          "The directive \"@\(directive.name)\" can only be used once at this location.",
          at: directive.offset)
      }
      checkArguments(
        directive.arguments, of: definition.arguments,
        Place(
          unknown: "directive \"@\(directive.name)\"",
          missing: "Directive \"@\(directive.name)\"", offset: directive.offset), &uses)
    }
  }
}
