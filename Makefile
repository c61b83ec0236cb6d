# What match servers call: `make EXE=NAME` builds the engine and puts it here under that name.
EXE ?= lucena
CARGO ?= cargo
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

.PHONY: all
all:
	$(CARGO) build --release --locked
	cp "$${CARGO_TARGET_DIR:-target}/release/lucena$(SUFFIX)" "$(patsubst %.exe,%,$(EXE))$(SUFFIX)"
