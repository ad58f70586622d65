# The verbs of this repository. Everything is installed by name, from PyPI and Debian.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
APT_STAMP := $(VENV)/.apt-installed
DATABASE_STAMP := $(VENV)/.database-installed
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT := $(SUDO) apt-get
PYTEST_JOBS ?= 2

.PHONY: help setup browser database demo samples test check format golden bench bench-write bench-quality bench-savings bench-delivery llama headings furniture bench-long marathon packs restore bench-service bench-queue scale-out scale clean service-marathon service-faults soak

help: ## list the verbs
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(STAMP) ## make the environment in .venv

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev,samples,privacy,ocr,service,scale,otlp,llama]'
	@touch $@

browser: $(APT_STAMP) ## install what the browser tests need, from Debian

# The report is tested in a real browser, with a font that has Chinese characters.
$(APT_STAMP): $(STAMP)
	@if command -v chromium >/dev/null; then :; else \
	  $(APT) update -qq && $(APT) install -y -qq --no-install-recommends chromium fonts-wqy-microhei >/dev/null; fi
	@touch $@

database: $(DATABASE_STAMP) ## install the PostgreSQL that the tests of many machines start, from Debian

# Debian sets a cluster up and starts it by itself: the tests want the programs only.
$(DATABASE_STAMP): $(STAMP)
	@if ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then :; else \
	  $(APT) update -qq && $(APT) install -y -qq --no-install-recommends postgresql-common >/dev/null && \
	  $(SUDO) sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf && \
	  $(APT) install -y -qq --no-install-recommends postgresql >/dev/null; fi
	@touch $@

demo: setup ## run the main job on the shipped samples and say where to look
	$(BIN)/python examples/build_samples.py
	$(BIN)/headworks run examples/samples --rules contract --rules finance --out headworks-out \
	  --deliver --config examples/headworks.toml

samples: setup ## build the shipped samples again
	$(BIN)/python examples/build_samples.py

test: setup browser database ## run every test, browser and PostgreSQL included
	$(BIN)/python examples/build_samples.py
	$(BIN)/python -m pytest -q -n $(PYTEST_JOBS)

check: setup ## lint, types, import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## let ruff put the code in shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: setup ## renew the golden files, to be read before they are committed
	HEADWORKS_RENEW_GOLDEN=1 $(BIN)/python -m pytest -q tests/golden

bench: setup ## time and memory of the whole pipeline beside its peers
	$(BIN)/python -m benchmarks.pipeline

bench-write: setup ## the same, and renew docs/benchmarks.md
	$(BIN)/python -m benchmarks.pipeline --write

bench-quality: setup ## outlines, statutes and peers' splitters; renew docs/quality.md (needs ../shared)
	$(BIN)/python -m benchmarks.quality

bench-savings: setup ## model calls with rules against without on 50 documents; renew docs/answers.md
	$(BIN)/python -m benchmarks.savings --write

headings: setup ## precision and recall of outlines on the labelled corpus (needs ../shared)
	$(BIN)/python -m benchmarks.headings ../shared/corpus

furniture: setup ## page headers and footers left in chunks, body lines taken for them (needs ../shared)
	$(BIN)/python -m benchmarks.furniture ../shared/corpus

bench-delivery: setup ## delivery against the simulated model server; renew the figures in docs/delivery.md
	$(BIN)/python -m benchmarks.delivery --write

llama: $(STAMP) ## install llama.cpp's own server as a library, for tests of real inference (in setup, too)
	$(BIN)/python -m pip install --quiet -e '.[llama]'

bench-long: setup ## a PDF of 101 MB and 380 pages beside kreuzberg; renew its part of docs/benchmarks.md
	$(BIN)/python -m benchmarks.long_pdf --write

service-marathon: setup ## 200 documents, kill -9 of 100 processes, the same bytes in the end
	$(BIN)/python -m tests.service.marathon

service-faults: setup ## a full disk, a locked database, a hanging worker, SIGTERM, poison
	$(BIN)/python -m tests.service.faults

soak: setup ## documents for 30 minutes, memory flat
	$(BIN)/python -m tests.service.soak --minutes 30

marathon: setup ## the invariants of cutting on 10,000 generated documents
	$(BIN)/python -m tests.properties.marathon 10000

packs: setup ## precision and recall of the shipped rule packs; renew docs/packs.md
	$(BIN)/python -m tests.rules.score -v
	$(BIN)/python -m tests.rules.pack_page

restore: setup ## restore(redact(x)) == x over 100,000 generated texts
	$(BIN)/python -m tests.unit.privacy.restore_many 100000

bench-service: setup ## uploads under load, throughput, a queue of 10,000 documents
	$(BIN)/python -m benchmarks.service

bench-queue: setup database ## the queue on both engines, with ten thousand and a million jobs waiting
	$(BIN)/python -m benchmarks.queue

scale-out: setup database ## 5,000 jobs, 1, 2 and 4 workers, kill -9 of them, crashes of PostgreSQL
	$(BIN)/python -m tests.service.scale_out

scale: setup ## machines and hours for one and a hundred million documents; renew docs/scale.md
	$(BIN)/python -m benchmarks.scale --write

clean: ## remove the environment and all results
	rm -rf $(VENV) headworks-out build dist .mypy_cache .ruff_cache .pytest_cache
