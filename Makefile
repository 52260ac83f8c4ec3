# Parlour: make demo runs the chat, make test passes the tests; both set up what is missing.
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
URL ?=
# The same arguments in a terminal and in a pipe: SwiftPM builds anew where they differ.
BUILD := build --no-color-diagnostics
# lld packs the relocations, which then cost neither memory nor time at the start; glibc reads that from 2.36 on.
PACKED := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); \
	if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# The functions of the usual start stand next to each other (.ci/order), so that fewer pages of the program are in memory.
ORDERED := -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --symbol-ordering-file=$(CURDIR)/.ci/start.order \
	-Xlinker --no-warn-symbol-ordering
LINKED := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --gc-sections $(PACKED) $(ORDERED)
RELEASE := $(LINKED) -Xlinker -s

SHARE = $(DESTDIR)$(PREFIX)/share
# Written by the program itself at make install.
MANUAL := man/man1/parlour.1
BASH_COMPLETION := bash-completion/completions/parlour
ZSH_COMPLETION := zsh/site-functions/_parlour
FISH_COMPLETION := fish/vendor_completions.d/parlour.fish
WRITTEN = $(foreach file,$(MANUAL) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION),"$(SHARE)/$(file)")

.DEFAULT_GOAL := help
.PHONY: help demo test conformance build install uninstall lint bench order clean setup setup-test

help: ## Shows this list.
	@echo "make demo         sets up what is missing, then opens the chat on the embedded server"
	@echo "make test         sets up what is missing, then passes the tests"
	@echo "make conformance  runs Autobahn's cases against the client and the server role"
	@echo "make build        builds the program: .build/release/parlour"
	@echo "make install      installs it, its manual, completions, themes and profiles below PREFIX ($(PREFIX))"
	@echo "make uninstall    removes what make install installed"
	@echo "make lint         checks the format of the sources"
	@echo "make bench        measures echo, flood and sink against a server on the loopback"
	@echo "make order        writes anew which functions are linked next to each other (needs valgrind)"
	@echo "make clean        removes .build"

setup:
	@SWIFT="$(SWIFT)" .ci/setup build

setup-test:
	@SWIFT="$(SWIFT)" .ci/setup test

demo: setup
	@$(SWIFT) $(BUILD) $(RELEASE) --product parlour
	@.build/release/parlour demo $(ARGS)

# The library's tests have a process of their own: those of the programs block the threads that async code runs on, as
# many as there are cores, while they wait for what they started.
test: setup-test
	$(SWIFT) $(BUILD) --build-tests
	@SWIFT="$(SWIFT)" .ci/test --skip '^SocketsTests\.'
	@SWIFT="$(SWIFT)" .ci/test --filter '^SocketsTests\.'

conformance: setup-test
	@$(SWIFT) $(BUILD) $(RELEASE) --product echo-peer
	@python3 Tests/Conformance/run.py $(ARGS)

build: setup
	$(SWIFT) $(BUILD) $(RELEASE) --product parlour

.build/release/parlour:
	@$(MAKE) build

# Copies what make build built, so that root needs no toolchain on its path; builds only where nothing is there.
install: .build/release/parlour
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/parlour/themes" "$(SHARE)/parlour/profiles" "$(SHARE)/man/man1" \
		"$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 755 .build/release/parlour "$(DESTDIR)$(PREFIX)/bin/parlour"
	install -m 644 themes/*.theme "$(SHARE)/parlour/themes/"
	install -m 644 Sources/App/Profiles/* "$(SHARE)/parlour/profiles/"
	.build/release/parlour help man >"$(SHARE)/$(MANUAL)"
	.build/release/parlour completion bash >"$(SHARE)/$(BASH_COMPLETION)"
	.build/release/parlour completion zsh >"$(SHARE)/$(ZSH_COMPLETION)"
	.build/release/parlour completion fish >"$(SHARE)/$(FISH_COMPLETION)"
	chmod 644 $(WRITTEN)

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/parlour" $(WRITTEN)
	rm -rf "$(SHARE)/parlour"

lint:
	$(SWIFT) format lint --strict -r Sources Tests Package.swift

bench: build setup-test
	@.ci/bench .build/release/parlour

order: setup-test
	@$(SWIFT) $(BUILD) $(LINKED) -Xlinker -S --product parlour
	@.ci/order .build/release/parlour

clean:
	rm -rf .build
