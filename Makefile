# Every target calls the command line or a tool; what happens is written there, not here.

TORCH    ?= 2.13.0
RELEASES ?=
DEVICE   ?= cpu
PORT     ?= 8000
PYTHON   ?= python3

BIN      := .venv/bin
TAPEKEPT := $(BIN)/tapekept
SITE     := .venv/ready-site
TEST     := .venv/ready-test

.DEFAULT_GOAL := help
.PHONY: help catalog catalogs site serve test lint golden verify bench clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1	\2/p' Makefile

catalog: $(SITE) ## measure a release (TORCH=2.13.0 DEVICE=cpu), then build its site
	@$(TAPEKEPT) catalog --torch $(TORCH) --device $(DEVICE)

catalogs: $(SITE) ## measure each release that has no catalogue yet (RELEASES="2.6.0 2.5.1" KEEP_ENVS=1); builds no site
	@$(TAPEKEPT) catalogs --releases "$(RELEASES)" --device $(DEVICE)

site: $(SITE) ## build the site from the committed measurements, without torch
	@$(TAPEKEPT) site --torch $(TORCH) --device $(DEVICE)

serve: $(SITE) ## show site/ at http://127.0.0.1:8000/ (PORT=8000)
	@$(TAPEKEPT) serve --port $(PORT)

test: lint ## lint, type-check and test everything
	@$(BIN)/pytest

lint: $(TEST) ## lint and type-check only
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

golden: $(TEST) ## accept the schema and the golden pages as they are made now
	@$(BIN)/python -m generator.catalogue.schema
	@$(BIN)/pytest tests/pages --golden

verify: $(SITE) ## measure the committed catalogue again and tell what differs
	@$(TAPEKEPT) verify --torch $(TORCH) --device $(DEVICE)

bench: $(SITE) ## time every stage and weigh what it leaves
	@$(TAPEKEPT) bench --torch $(TORCH) --device $(DEVICE)

clean: ## remove all that these targets made; docs/data/ stays
	@$(PYTHON) generator/cleaning.py

$(SITE) $(TEST): pyproject.toml generator/bootstrap.py
	@$(PYTHON) generator/bootstrap.py $@
