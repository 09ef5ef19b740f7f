# SPDX-License-Identifier: Apache-2.0
# The front door: every target installs what is missing, then does what it says. `make` alone lists them.
JOBS ?= $(shell nproc)

# The rooms that the sanitizers walk through.
core := base workload placement photonics schedule flow simulate fabric emulate
space := $(subst ,, )
core_tests := ^($(subst $(space),|,$(core)))/

# The rooms with tests of threads, as names of files say.
threaded = $(sort $(foreach file,$(shell find tests -name '*_threads_test.cpp'),$(word 2,$(subst /, ,$(file)))))

sources = find src apps studies bindings tests bench fuzz -name '*.h' -o -name '*.cpp'

.DEFAULT_GOAL := help
.PHONY: help setup build demo deb docs test nightly bench asan tsan fuzz tidy format check-format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install missing Debian packages
	@scripts/setup

build: setup ## build everything (build/release)
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

demo: ## reproduce the published numbers and write a report: builds the command alone
	@scripts/setup demo
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target helio
	@build/release/apps/helio reproduce all --report out/report
	@echo "report: $(CURDIR)/out/report/index.html"

deb: build ## packages for Debian (out/deb)
	@scripts/deb

docs: build ## the documentation site, with reference and gallery (out/docs)
	@scripts/docs

test: build ## run every test
	@ctest --preset release -j $(JOBS) --no-tests=error

nightly: build ## what takes long: monotonicity on 5,000 configurations, bounds of 10,000 plans, the largest questions
	@HELIO_CONFIGURATIONS=5000 ctest --preset release --no-tests=error -R 'Monotone'
	@HELIO_PLAN_CANDIDATES=10000 ctest --preset release --no-tests=error -R 'IterationBound.IsBelow'
	@scripts/largest build/release/apps/helio

bench: build ## measure speed, as ratios within one run
	@bench/run

asan: setup ## tests of the core rooms under address and undefined-behaviour sanitizers (build/asan)
	@cmake --preset asan
	@cmake --build --preset asan -j $(JOBS) --target $(addsuffix _test,$(core))
	@ctest --preset asan -j $(JOBS) --no-tests=error -R '$(core_tests)'

tsan: setup ## tests of threads (*_threads_test.cpp) under the thread sanitizer (build/tsan)
	@cmake --preset tsan
	@cmake --build --preset tsan -j $(JOBS) --target $(or $(addsuffix _test,$(threaded)),helio_base)
	@ctest --preset tsan -j $(JOBS) $(if $(threaded),--no-tests=error) -R 'Threads'

fuzz: setup ## look for inputs that break a reader, for a minute (build/fuzz, clang)
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@fuzz/run

tidy: setup ## clang-tidy on the sources, or on those changed since the commit HELIO_TIDY_SINCE
	@scripts/tidy

format: ## lay out the sources (needs clang-format)
	@$(sources) | xargs clang-format -i

check-format: setup ## are the sources laid out?
	@$(sources) | xargs clang-format --dry-run -Werror

clean: ## remove build/ and out/
	@rm -rf build out
