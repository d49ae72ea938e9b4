# Every target calls the command line or a tool; what happens is written there, not here.

TORCH    ?= 2.13.0
RELEASES ?=
INDEX    ?=
FOLDER   ?= collected
GITHUB_OUTPUT ?= /dev/null
DEVICE   ?= cpu
PORT     ?= 8000
PYTHON   ?= python3

BIN      := .venv/bin
TAPEKEPT := $(BIN)/tapekept
SITE     := .venv/ready-site
TEST     := .venv/ready-test

.DEFAULT_GOAL := help
.PHONY: help catalog catalogs site sites serve test test-releases lint golden verify bench \
        upcoming add unmeasured collect propose fetch publish clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

catalog: $(SITE) ## measure a release (TORCH=2.13.0 DEVICE=cpu), then build its site
	@$(TAPEKEPT) catalog --torch $(TORCH) --device $(DEVICE)

catalogs: $(SITE) ## measure each release that has no catalogue yet (RELEASES="2.6.0 2.5.1" KEEP_ENVS=1); builds no site
	@$(TAPEKEPT) catalogs --releases "$(RELEASES)" --device $(DEVICE)

site: $(SITE) ## build the site from the committed measurements, without torch
	@$(TAPEKEPT) site --torch $(TORCH) --device $(DEVICE)

sites: $(SITE) ## build the site of each measured release that is not up to date, and what leads to them
	@$(TAPEKEPT) site --all --device $(DEVICE)

serve: $(SITE) ## show site/ at http://127.0.0.1:8000/ (PORT=8000)
	@$(TAPEKEPT) serve --port $(PORT)

test: lint ## lint, type-check and test everything
	@$(BIN)/pytest

test-releases: $(TEST) ## run the probe live in some releases and check known truths (RELEASES="1.13.1 2.6.0 2.15.0")
	@$(BIN)/pytest tests/release/live_truths.py --releases "$(RELEASES)"

lint: $(TEST) ## lint and type-check only, the workflows too
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/actionlint

golden: $(TEST) ## accept the schema and the golden pages as they are made now
	@$(BIN)/python -m generator.catalogue.schema
	@$(BIN)/pytest tests/pages --golden

verify: $(SITE) ## measure the committed catalogue again and tell what differs
	@$(TAPEKEPT) verify --torch $(TORCH) --device $(DEVICE)

bench: $(SITE) ## time every stage and weigh what it leaves
	@$(TAPEKEPT) bench --torch $(TORCH) --device $(DEVICE)

upcoming: $(SITE) ## print the releases that the package index at INDEX has and nobody measured
	@$(TAPEKEPT) upcoming --index=$(INDEX) --output $(GITHUB_OUTPUT)

add: $(SITE) ## write a release of that index into releases.toml (TORCH=2.16.0)
	@$(TAPEKEPT) add $(TORCH) --index=$(INDEX)

unmeasured: $(SITE) ## print the releases that have no catalogue, or RELEASES
	@$(TAPEKEPT) unmeasured $(RELEASES) --device $(DEVICE) --output $(GITHUB_OUTPUT)

collect: $(SITE) ## take over the catalogues that other machines measured (FOLDER=collected)
	@$(TAPEKEPT) collect $(FOLDER) --device $(DEVICE)

propose: $(SITE) ## open a pull request with the catalogues that are not committed (RELEASES="2.16.0")
	@$(TAPEKEPT) propose $(RELEASES) --device $(DEVICE)

fetch: $(SITE) ## put the sites that are published into site/
	@$(TAPEKEPT) fetch-sites

publish: $(SITE) ## push site/ to the branch that is served
	@$(TAPEKEPT) publish-sites

clean: ## remove all that these targets made; docs/data/ stays
	@$(PYTHON) generator/cleaning.py

$(SITE) $(TEST): pyproject.toml generator/bootstrap.py
	@$(PYTHON) generator/bootstrap.py $@
