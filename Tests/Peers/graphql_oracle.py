"""graphql-core's verdicts, for the tests of our own GraphQL to be compared with; one JSON value a line.

  validate SCHEMA --seed N --count N   a corpus made of the seed: {"document", "syntax": [line, column] or null,
                                       "executable", "errors": [messages]}
  execute SCHEMA --seed N --count N    {"document", "variables", "request": bool, "data", "paths"}: what comes of
                                       valid documents where every field gives what its name and type say
  schemas                              reads a JSON list of schema texts, says of each whether it is valid
  introspect SCHEMA                    the schema's introspection
  client                               reads an introspection, prints the schema that a client makes of it
  print SCHEMA                         the schema, sorted and printed
"""
from __future__ import annotations

import argparse
import json
import random
import re
import sys

from graphql import (
    ExecutableDefinitionNode, GraphQLEnumType, GraphQLError, GraphQLInputObjectType, GraphQLInterfaceType,
    GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSyntaxError, GraphQLUnionType, build_client_schema,
    build_schema, execute, get_introspection_query, get_named_type, graphql_sync, is_composite_type,
    is_required_argument, is_required_input_field, lexicographic_sort_schema, parse, print_schema, validate,
    validate_schema)

HAND = [
    "{", "{}", "", "query", "query Q", "{ person { id } } }", "{ person { id } ", "{ a: }", "{ person(: 1) }",
    "{ echo(i: 01) }", "{ echo(i: 1a) }", "{ echo(f: 1.) }", "{ echo(f: .5) }", "{ echo(f: 1.5.2) }",
    "{ echo(f: 1e) }", "{ echo(f: -) }", "{ echo(s: \"a) }", "{ echo(s: \"a\\q\") }", "{ echo(s: \"\\u12\") }",
    "{ echo(s: \"\\uD83D\\uDE00\") }", "{ echo(s: \"\\u{1F600}\") }", "{ echo(s: \"\\uDE00\") }",
    "{ echo(s: \"\"\"a\"\" \\\"\"\" b\"\"\") }", "{ echo(s: \"\"\"a) }", "\ufeff{ time }", "{ time } # end",
    "{ time, , ,time }", "fragment on on Person { id }", "fragment F on Person { id }", "{ ...F }",
    "{ ... on Query { time } ... { flag(b: true) } ... @include(if: true) { time } }",
    "query ($a: Int = $b) { echo(i: $a) }", "query ($a: Int!) { echo(i: $a) }", "query ($a: Int) { time }",
    "query ($a: Person) { time }", "query ($a: Nope) { echo(i: $a) }", "query ($a: Int, $a: Int) { echo(i: $a) }",
    "query A { time } query A { time }", "query A { time } { time }", "{ time } { time }",
    "query A { time } query B { time }", "subscription { person { id } beings { __typename } }",
    "subscription { person { id } ...F } fragment F on Subscription { person { name } }",
    "subscription { ...F } fragment F on Subscription { a: person { name } b: person { id } }",
    "subscription { __typename }", "subscription A { person { id } __typename }",
    "subscription { person @skip(if: true) { id } }", "mutation { person(name: \"a\") { id } }",
    "mutation @once { person(name: \"a\") { id } }", "query @once { time }", "{ time @once @once }",
    "{ time @note @note(text: \"y\", kinds: CAT) }", "{ time @note(nope: 1) }", "{ time @skip }",
    "{ time @skip(if: 1) }", "{ time @nope }", "query ($b: Boolean @note) { time @skip(if: $b) }",
    "query ($b: Boolean! @once) { time @skip(if: $b) }", "query ($b: Boolean = true) { time @skip(if: $b) }",
    "query ($b: Boolean = null) { time @skip(if: $b) }", "{ person }", "{ person { } }", "{ time { x } }",
    "{ node(id: 1) { id } }", "{ node(id: 1.5) { id } }", "{ node { id } }", "{ node(id: null) { id } }",
    "{ node(id: 1, id: 2) { id } }", "{ node(id: 1) { id name } }", "{ node(id: 1) { id ... on Named { name } } }",
    "{ node(id: 1) { ... on Rock { weight } } }", "{ being { id } }", "{ being { __typename ... on Node { id } } }",
    "{ being { ... on Cat { lives } ... on Dog { lives } } }", "{ being { ... on Cat { shared } ... on Dog { shared } } }",
    "{ being { ... on Cat { a: name } ... on Dog { a: id } } }", "{ being { ... on Cat { a: id } ... on Dog { a: id } } }",
    "{ being { ... on Cat { a: name(upper: true) } ... on Dog { a: name(upper: false) } } }",
    "{ pets { name(upper: true) ... on Cat { name(upper: false) } } }",
    "{ pets { a: name ... on Cat { a: shared } ... on Dog { b: shared } } }",
    "{ pets { owner { a: id } ... on Dog { owner { a: name } } } }",
    "{ pets { owner { id } ... on Dog { owner { name } } } }",
    "{ being { ... on Cat { owner { a: id } } ... on Dog { owner { a: name } } } }",
    "{ person { a: name a: name(upper: false) } }", "{ person { a: name a: id } }", "{ person { a: id a: id } }",
    "{ echo(filter: {names: [\"a\"], kind: CAT}) echo(filter: {kind: CAT, names: [\"a\"]}) }",
    "{ echo(i: 1) echo(i: 2) }", "{ echo(f: 1.0) echo(f: 1.00) }", "query ($a: Int) { echo(i: $a) echo(i: $a) }",
    "{ echo(filter: {}) }", "{ echo(filter: {kind: \"CAT\"}) }", "{ echo(filter: {kind: COW}) }",
    "{ echo(filter: {names: \"a\"}) }", "{ echo(filter: {names: [null]}) }", "{ echo(filter: {nope: 1}) }",
    "{ echo(filter: {kind: CAT, kind: DOG}) }", "{ echo(filter: {range: {}}) }", "{ echo(filter: {range: null}) }",
    "{ echo(filter: 5) }", "{ echo(filter: []) }", "{ echo(filter: null) }", "{ echo(choice: {id: 1}) }",
    "{ echo(choice: {id: 1, name: \"a\"}) }", "{ echo(choice: {}) }", "{ echo(choice: {id: null}) }",
    "query ($i: ID) { echo(choice: {id: $i}) }", "query ($i: ID!) { echo(choice: {id: $i}) }",
    "query ($i: ID! = 1) { echo(choice: {id: $i}) }", "query ($c: Choice) { echo(choice: $c) }",
    "{ echo(r: null) }", "query ($r: Range) { echo(r: $r) }", "query ($r: Range = null) { echo(r: $r) }",
    "query ($i: Int) { echo(r: {from: $i}) }", "query ($i: Int!) { echo(r: {from: $i, to: $i}) }",
    "query ($i: Int = 3) { echo(r: {from: $i}) }", "{ echo(l: 1) }", "{ echo(l: [1, 2]) }", "{ echo(l: [[1], null]) }",
    "{ echo(l: [[null]]) }", "query ($i: Int!) { echo(l: [[$i]]) }", "query ($i: Int) { echo(l: [[$i]]) }",
    "query ($i: [Int!]) { echo(l: [$i]) }", "query ($i: [Int!]) { echo(l: $i) }", "query ($i: [[Int!]!]!) { echo(l: $i) }",
    "query ($i: Int!) { echo(l: $i) }", "{ echo(any: {a: [1, $x, RED], b: \"s\"}) }",
    "query ($x: Kind) { echo(any: {a: [1, $x, RED], b: \"s\"}) }", "{ echo(any: 12345678901234567890123) }",
    "{ echo(i: 2147483647) }", "{ echo(i: 2147483648) }", "{ echo(i: -2147483648) }", "{ echo(i: 1.0) }",
    "{ echo(f: 1) }", "{ echo(f: \"1\") }", "{ echo(b: 0) }", "{ echo(b: \"true\") }",
    "{ echo(s: 5) }", "{ echo(s: a) }", "{ echo(k: CAT) }", "{ echo(k: \"CAT\") }", "{ echo(k: null) }",
    "query ($k: Kind = COW) { echo(k: $k) }", "query ($k: Kind! = DOG) { echo(k: $k) }",
    "query ($f: Filter = {range: {to: 2}}) { echo(filter: $f) }", "query ($s: String) { echo(id: $s) }",
    "query ($s: Int) { echo(f: $s) }", "query ($s: ID) { echo(s: $s) }", "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
    "{ ...A } fragment A on Query { ...A }", "{ ...A } fragment A on Query { person { ...B } } fragment B on Person { id }",
    "{ ...A } fragment A on Query { time } fragment A on Query { time }", "{ ...A } fragment A on Kind { time }",
    "{ ...A } fragment A on Filter { kind }", "{ ...A } fragment A on Nope { time }", "{ person { ...A } } fragment A on Pet { id }",
    "{ person { ...A } } fragment A on Node { id }", "{ named { ...A } } fragment A on Pet { owner { id } }",
    "{ named { ... on Thing { __typename } } }", "{ pets { ... on Thing { __typename } } }", "{ being { ... on Thing { ... on Rock { weight } } } }",
    "{ __schema { types { name } } __type(name: \"Cat\") { name } }", "{ __type { name } }", "{ person { __schema { types { name } } } }",
    "{ __typename person { __typename } }", "{ person { __typename { x } } }", "{ person { nope { x } } }",
    "query ($a: Int) { ...A } fragment A on Query { echo(i: $a) }", "query { ...A } fragment A on Query { echo(i: $a) }",
    "query A($a: Int) { ...A } query B { ...A } fragment A on Query { echo(i: $a) }",
    "query A($a: Int) { ...A } query B($a: String) { ...A } fragment A on Query { echo(i: $a) }",
    "{ things(limit: null) { __typename } }", "query ($l: Int) { things(limit: $l) { __typename } }",
    "{ things(ids: \"a\") { ... on Person { id } ... on Rock { weight } } }", "{ things(ids: [null]) { __typename } }",
    "type T { a: Int }", "{ time } type T { a: Int }", "\"described\" query Q { time }", "\"described\" { time }",
    "\"d\" fragment F on Query { time } { ...F }", "query Q(\"d\" $a: Int) { echo(i: $a) }", "{ echo(any: {}) }",
    "{ echo(any: []) }", "query($a:[Int!]!=[1]){echo(l:[$a])}", "{ flag(b: true) flag(b: false) }", "{ é }", "{ a\u00a0b }",
    "{ time\x00 }", "{ echo(s: \"\x01\") }", "{ echo(s: \"tab\tin\") }", "{ time } %", "{ a.b }", "{ a..b }", "{ .. }", "query ($é: Int) { time }",
]
TOKEN = re.compile(r'"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n])*"|[A-Za-z_][A-Za-z0-9_]*|-?[0-9][0-9.eE+]*|\.\.\.|\S')


class Maker:
    """Makes documents that fit the schema, mostly."""

    def __init__(self, schema, seed: int) -> None:
        self.schema = schema
        self.dice = random.Random(seed)

    def literal(self, kind, depth: int = 0, constant: bool = False) -> str:
        dice = self.dice
        if not constant and dice.random() < 0.2:
            return self.variable(kind)
        if isinstance(kind, GraphQLNonNull):
            return self.literal(kind.of_type, depth, True)
        if dice.random() < 0.05:
            return "null"
        if isinstance(kind, GraphQLList):
            if dice.random() < 0.2:
                return self.literal(kind.of_type, depth + 1, constant)
            return "[" + ", ".join(
                self.literal(kind.of_type, depth + 1, constant) for _ in range(dice.randrange(3))) + "]"
        if isinstance(kind, GraphQLEnumType):
            return dice.choice(list(kind.values))
        if isinstance(kind, GraphQLInputObjectType):
            fields = [(name, field) for name, field in kind.fields.items()
                      if is_required_input_field(field) or (depth < 3 and dice.random() < 0.4)]
            if kind.is_one_of:
                name = dice.choice(list(kind.fields))
                return "{" + name + ": " + self.literal(GraphQLNonNull(kind.fields[name].type), depth + 1, constant) + "}"
            return "{" + ", ".join(
                f"{name}: {self.literal(field.type, depth + 1, constant)}" for name, field in fields) + "}"
        return dice.choice({
            "Int": ["0", "-7", "2147483647", "5"], "Float": ["1", "1.5", "-2e3", "0.25"],
            "String": ['"a"', '"é\\n\\"q\\""', '"""block"""', '""'], "Boolean": ["true", "false"],
            "ID": ['"x"', "12", "123456789012345678901"],
        }.get(kind.name, ["1", '"t"', "{a: [1, 2.5, RED]}", "12345678901234567890", "true"]))

    def variable(self, kind) -> str:
        name = f"v{len(self.variables)}"
        text = str(kind)
        if self.dice.random() < 0.1:
            text = text.rstrip("!")
        elif not text.endswith("!") and self.dice.random() < 0.3:
            text += "!"
        default = ""
        if self.dice.random() < 0.3:
            default = " = " + self.literal(kind, 0, True)
        self.variables[name] = (text, default, kind)
        return "$" + name

    def arguments(self, definitions) -> str:
        chosen = [(name, argument) for name, argument in definitions.items()
                  if is_required_argument(argument) or self.dice.random() < 0.3]
        if not chosen:
            return ""
        return "(" + ", ".join(f"{name}: {self.literal(argument.type)}" for name, argument in chosen) + ")"

    def directives(self) -> str:
        roll = self.dice.random()
        if roll < 0.05:
            return f" @skip(if: {self.literal(GraphQLNonNull(self.schema.type_map['Boolean']))})"
        if roll < 0.1:
            return f" @include(if: {self.literal(GraphQLNonNull(self.schema.type_map['Boolean']))})"
        return " @once" if roll < 0.12 else ""

    def selections(self, parent, depth: int) -> str:
        parts = []
        for _ in range(self.dice.randrange(1, 4)):
            roll = self.dice.random()
            if roll < 0.12:
                possible = self.schema.get_possible_types(parent) if not isinstance(parent, GraphQLObjectType) else [parent]
                condition = self.dice.choice(list(possible) + [parent])
                on = f" on {condition.name}" if condition is not parent or self.dice.random() < 0.5 else ""
                parts.append(f"...{on}{self.directives()} {{ {self.selections(condition, depth)} }}")
            elif roll < 0.2 and depth < 4:
                name = f"F{len(self.fragments)}"
                self.fragments[name] = ""
                self.fragments[name] = f"fragment {name} on {parent.name} {{ {self.selections(parent, depth + 1)} }}"
                parts.append(f"...{name}{self.directives()}")
            elif roll < 0.25 or isinstance(parent, GraphQLUnionType):
                parts.append("__typename")
            else:
                parts.append(self.field(parent, depth))
        return " ".join(parts)

    def field(self, parent, depth: int) -> str:
        fields = [(name, field) for name, field in parent.fields.items()
                  if depth < 4 or not is_composite_type(get_named_type(field.type))]
        if not fields:
            return "__typename"
        name, field = self.dice.choice(fields)
        alias = f"{self.dice.choice('abc')}: " if self.dice.random() < 0.15 else ""
        text = alias + name + self.arguments(field.args) + self.directives()
        inner = get_named_type(field.type)
        return text + (f" {{ {self.selections(inner, depth + 1)} }}" if is_composite_type(inner) else "")

    def document(self) -> str:
        self.variables, self.fragments = {}, {}
        kind, root = self.dice.choice([
            ("query", self.schema.query_type)] * 6 + [("mutation", self.schema.mutation_type),
                                                      ("subscription", self.schema.subscription_type)])
        body = self.field(root, 0) if kind == "subscription" else self.selections(root, 0)
        variables = ", ".join(f"${name}: {text}{default}" for name, (text, default, _) in self.variables.items())
        head = f"{kind} Q" + (f"({variables})" if variables else "")
        return f"{head} {{ {body} }}" + "".join("\n" + text for text in self.fragments.values())

    def mutated(self, text: str) -> str:
        tokens = TOKEN.findall(text)
        for _ in range(self.dice.randrange(1, 3)):
            place = self.dice.randrange(len(tokens))
            roll = self.dice.random()
            if roll < 0.25:
                del tokens[place]
            elif roll < 0.4:
                tokens.insert(place, tokens[self.dice.randrange(len(tokens))])
            elif roll < 0.6:
                other = self.dice.randrange(len(tokens))
                tokens[place], tokens[other] = tokens[other], tokens[place]
            else:
                tokens[place] = self.dice.choice(
                    tokens + ["{", "}", "(", ")", "[", "]", "!", "$", ":", "...", "@", "=", "|", "&", "id", "name", "on",
                              "Cat", "Person", "null", "true", "CAT", "0", "1.5", '"s"', "$v0", "@skip", "query"])
            if not tokens:
                break
        return self.dice.choice([" ", "\n", "\r\n"]).join(tokens)

    def values(self) -> dict:
        """Values of the last document's variables; some are left out."""
        return {name: self.value(kind) for name, (_, _, kind) in self.variables.items() if self.dice.random() < 0.8}

    def value(self, kind, depth: int = 0):
        dice = self.dice
        if isinstance(kind, GraphQLNonNull):
            return self.value(kind.of_type, depth)
        if dice.random() < 0.06:
            return dice.choice([None, None, "text", 7, 1.5, [], {}, True])
        if isinstance(kind, GraphQLList):
            return [self.value(kind.of_type, depth + 1) for _ in range(dice.randrange(3))]
        if isinstance(kind, GraphQLEnumType):
            return dice.choice(list(kind.values))
        if isinstance(kind, GraphQLInputObjectType):
            if kind.is_one_of:
                name = dice.choice(list(kind.fields))
                return {name: self.value(kind.fields[name].type, depth + 1)}
            return {name: self.value(field.type, depth + 1) for name, field in kind.fields.items()
                    if is_required_input_field(field) or (depth < 3 and dice.random() < 0.4)}
        return dice.choice({
            "Int": [0, -7, 2147483647, 5, 2147483648], "Float": [1, 1.5, -2000.0, 0.25], "String": ["a", "é\n\"", ""],
            "Boolean": [True, False], "ID": ["x", 12, 12345678901234567890],
        }.get(kind.name, [1, "t", {"a": [1, 2.5]}, 12345678901234567890, True]))


def verdict(schema, text: str) -> dict:
    try:
        # Without the leave that graphql-core gives by default, against the specification.
        document = parse(text, allow_empty_selection_sets=False)
    except GraphQLSyntaxError as error:
        place = error.locations[0]
        return {"document": text, "syntax": [place.line, place.column], "executable": True, "errors": []}
    return {
        "document": text, "syntax": None,
        "executable": all(isinstance(node, ExecutableDefinitionNode) for node in document.definitions),
        "errors": [error.message for error in validate(schema, document, max_errors=50)]}


def give(kind, name: str):
    """What a field gives: its name and type say it, so that another implementation can do the same."""
    if isinstance(kind, GraphQLNonNull):
        return give(kind.of_type, name)
    if name.startswith("nothing"):
        return None
    if isinstance(kind, GraphQLList):
        inner = give(kind.of_type, name)
        if name.startswith("failingParts"):
            return [inner, GraphQLError("part"), None]
        return [inner, inner]
    if name.startswith("failing") and not name.startswith("failingParts"):
        raise GraphQLError("failing")
    if name == "wrongNumber":
        return "text"
    if isinstance(kind, GraphQLEnumType):
        return sorted(kind.values)[0]
    if is_composite_type(kind):
        return {}
    return {"Int": 7, "Float": 1.5, "String": name, "Boolean": True, "ID": "id-" + name}.get(kind.name, ["any", name])


def executed(schema, maker: Maker) -> dict | None:
    text = maker.document()
    document = parse(text)
    if validate(schema, document):
        return None
    variables = maker.values()

    def resolve(_source, info, **arguments):
        return arguments if info.field_name == "echo" else give(info.return_type, info.field_name)

    def choose(_value, _info, abstract):
        return sorted(kind.name for kind in schema.get_possible_types(abstract))[0]

    result = execute(schema, document, {}, variable_values=variables, field_resolver=resolve, type_resolver=choose)
    if hasattr(result, "initial_result"):
        return None
    isRequest = any(error.path is None for error in result.errors or [])
    return {"document": text, "variables": variables, "request": isRequest, "data": result.data,
            "paths": [error.path for error in result.errors or [] if error.path]}


def is_schema(text: str) -> bool:
    try:
        return not validate_schema(build_schema(text))
    except Exception:  # it throws what it pleases for a wrong schema
        return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="graphql_oracle.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["validate", "execute", "schemas", "introspect", "client", "print"])
    parser.add_argument("schema", nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    args = parser.parse_args()
    schema = build_schema(open(args.schema, encoding="utf-8").read()) if args.schema else None
    if args.job == "validate":
        maker = Maker(schema, args.seed)
        for text in HAND:
            print(json.dumps(verdict(schema, text)))
        for number in range(args.count):
            text = maker.document()
            print(json.dumps(verdict(schema, text if number % 3 == 0 else maker.mutated(text))))
    elif args.job == "execute":
        maker = Maker(schema, args.seed)
        for _ in range(args.count):
            result = executed(schema, maker)
            if result:
                print(json.dumps(result))
    elif args.job == "schemas":
        for text in json.load(sys.stdin):
            print(json.dumps(is_schema(text)))
    elif args.job == "introspect":
        query = get_introspection_query(
            specified_by_url=True, directive_is_repeatable=True, schema_description=True,
            input_value_deprecation=True, one_of=True)
        print(json.dumps(graphql_sync(schema, query).data))
    elif args.job == "client":
        print(print_schema(lexicographic_sort_schema(build_client_schema(json.load(sys.stdin)))))
    else:
        print(print_schema(lexicographic_sort_schema(schema)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
