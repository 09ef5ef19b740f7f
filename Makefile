# SPDX-License-Identifier: Apache-2.0
# The front door: every target installs what is missing, then does what it says. `make` alone lists them.
JOBS ?= $(shell nproc)

# The rooms that the sanitizers walk through.
core := base workload placement photonics schedule flow simulate fabric emulate
space := $(subst ,, )
core_tests := ^($(subst $(space),|,$(core)))/

.DEFAULT_GOAL := help
.PHONY: help setup build demo docs test bench asan fuzz format clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## install missing Debian packages
	@scripts/setup

build: setup ## build everything (build/release)
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

demo: build ## reproduce the published numbers and write a report
	@build/release/apps/helio reproduce all --report out/report
	@echo "report: $(CURDIR)/out/report/index.html"

docs: build ## the documentation site, with reference and gallery (out/docs)
	@scripts/docs

test: build ## run every test
	@ctest --preset release -j $(JOBS) --no-tests=error

bench: build ## measure speed, as ratios within one run
	@bench/run

asan: setup ## tests of the core rooms under address and undefined-behaviour sanitizers (build/asan)
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS) --target $(addsuffix _test,$(core))
	@ctest --preset asan -j $(JOBS) --no-tests=error -R '$(core_tests)'

fuzz: setup ## look for inputs that break a reader, for a minute (build/fuzz, clang)
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@fuzz/run

format: ## lay out the sources (needs clang-format)
	@find src apps tests bench fuzz -name '*.h' -o -name '*.cpp' | xargs clang-format -i

clean: ## remove build/ and out/
	@rm -rf build out
