# Everything a machine needs beyond Go, make and git is built here from Go
# modules with pinned versions, once, into the git-ignored bin/. Each version is
# written in one place: the go.mod named beside it.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help

# $(call required,MODULE,GO_MOD) is the version of a module that a go.mod requires.
required = $(or $(shell sed -nE 's|^(require )?[[:space:]]*$(1) (v[^ ]+).*|\2|p' $(2)),$(error $(2) does not require $(1)))

# KUBE=1.34 takes the API server of test/kube-1.34 instead of that of test/kube.
KUBE_MODULE        := test/kube$(if $(KUBE),-$(KUBE))
KUBE_VERSION       := $(call required,k8s.io/kubernetes,$(KUBE_MODULE)/go.mod)
ETCD_VERSION       := $(call required,go.etcd.io/etcd/server/v3,$(KUBE_MODULE)/go.mod)
CONTAINERD_VERSION := $(call required,github.com/containerd/containerd/v2,test/containerd/go.mod)
RUNC_VERSION       := $(call required,github.com/opencontainers/runc,test/runc/go.mod)
OPA_VERSION        := $(call required,github.com/open-policy-agent/opa,tools/opa/go.mod)
LINT_VERSION       := $(call required,github.com/golangci/golangci-lint/v2,tools/golangci-lint/go.mod)
VULN_VERSION       := $(call required,golang.org/x/vuln,tools/govulncheck/go.mod)

BIN            := $(CURDIR)/bin
KUBE_DIR       := $(BIN)/kube-$(KUBE_VERSION)
CONTAINERD_DIR := $(BIN)/containerd-$(CONTAINERD_VERSION)
RUNC_DIR       := $(BIN)/runc-$(RUNC_VERSION)
OPA            := $(BIN)/opa-$(OPA_VERSION)
GOLANGCI_LINT  := $(BIN)/golangci-lint-$(LINT_VERSION)
GOVULNCHECK    := $(BIN)/govulncheck-$(VULN_VERSION)

# Go compiles without a word; this says every half a minute that it still does.
BUSY := tools/heartbeat.sh

# Where the machine has a control plane already, it is used and none is built.
ASSETS := $(if $(KUBEBUILDER_ASSETS),$(abspath $(KUBEBUILDER_ASSETS)),$(KUBE_DIR))

# The race detector needs a C compiler. A machine without one still runs every
# test; .ci/run insists on one.
RACE = $(if $(shell command -v $(firstword $(shell go env CC))),-race)

# Objects of many megabytes, one after the other: minutes with the race detector.
HUGE := /test/hostile /test/slow

##@ See it

.PHONY: help
help: ## Show this list.
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo
demo: kube-binaries build ## Watch a real API server refuse pods that would fail (KEEP=1: leave it running).
	@$(BUSY) "building the demo" go build -o $(BIN)/demo ./test/demo
	@KUBEBUILDER_ASSETS="$(ASSETS)" exec $(BIN)/demo --webhook $(BIN)/forestall-webhook \
		$(if $(filter-out 0 false no,$(KEEP)),--keep)

.PHONY: lab
lab: lab-ready ## Start a real Kubernetes with a node on this machine (root, Linux).
	@$(LAB) up

.PHONY: lab-down
lab-down: $(BIN)/lab ## Stop it, and clean up what an interrupted run has left.
	@$(LAB) down

.PHONY: prove
prove: lab-ready build ## See every predicted failure happen in the lab (RULE=id: one rule's).
	@$(LAB) prove --webhook $(BIN)/forestall-webhook \
		$(if $(RULE),--rule "$(RULE)",--docs docs/proofs.md)

# FOR is how long each flood lasts; make attack FOR=1m PAGE=docs/attacks.md is the long form.
.PHONY: attack
attack: kube-binaries build ## Attack the webhook behind a real API server (FOR=1m: longer, PAGE=docs/attacks.md: write the page).
	@$(BUSY) "building the attacks" go build -o $(BIN)/attack ./test/attack
	@KUBEBUILDER_ASSETS="$(ASSETS)" exec $(BIN)/attack --webhook $(BIN)/forestall-webhook \
		$(if $(filter command line,$(origin FOR)),--for $(FOR)) $(if $(PAGE),-o "$(PAGE)") $(if $(ONLY),--only "$(ONLY)")

.PHONY: scale
scale: kube-binaries build ## Measure audits of a cluster of 20,000 pods, and write docs/scale.md (about ten minutes).
	@$(BUSY) "building the measurement" go build -o $(BIN)/scale ./test/scale
	@KUBEBUILDER_ASSETS="$(ASSETS)" exec $(BIN)/scale --forestall $(BIN)/forestall -o docs/scale.md

.PHONY: test-lab
test-lab: lab-ready ## Test the lab itself: two of them, side by side.
	FORESTALL_LAB=1 $(BUSY) "go test" go test -count=1 ./test/lab

##@ Work on it

# The same flags as go vet and go run use, so that all share one build cache; static builds
# what is shipped.
.PHONY: build
build: ## Build bin/forestall and bin/forestall-webhook.
	@echo "building forestall and forestall-webhook (minutes the first time, seconds later)…"
	@$(BUSY) "building" go build -o $(BIN)/ ./cmd/forestall ./cmd/forestall-webhook

# The Dockerfile copies it.
ARCH ?= $(shell go env GOARCH)
.PHONY: static
static: ## Build the webhook for its image, bin/linux-ARCH/forestall-webhook (ARCH=arm64: for another processor).
	@echo "building forestall-webhook for linux/$(ARCH) (minutes the first time, seconds later)…"
	@CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) $(BUSY) "building" go build -trimpath -ldflags="-s -w" -o $(BIN)/linux-$(ARCH)/ ./cmd/forestall-webhook
	@tools/verify-static.sh $(BIN)/linux-$(ARCH)/forestall-webhook

# Without -count=1 a test that runs another program of ours, or go list, would be
# taken from the cache when that program changes.
.PHONY: test
test: test-policies kube-binaries ## Run every test: policies, Go, and a real API server.
	$(if $(RACE),,@echo "note: no C compiler, so no race detector; install gcc for it")
	@echo "go vet and go test compile everything the first time: some minutes on 2 cores"
	$(BUSY) "go vet" go vet ./...
	KUBEBUILDER_ASSETS="$(ASSETS)" $(if $(RACE),CGO_ENABLED=1) $(BUSY) "go test" go test $(RACE) -count=1 $$(go list ./... | grep -v $(addprefix -e ,$(HUGE)))
	$(BUSY) "go test" go test -count=1 $(addprefix .,$(HUGE))

# The packages whose tests start an API server.
API_PACKAGES = $(shell go list -f '{{range .TestImports}}{{.}} {{end}}{{range .XTestImports}}{{.}} {{end}}: {{.ImportPath}}' ./... \
	| sed -n 's|.*/test/apiserver .*: ||p')
.PHONY: test-api
test-api: kube-binaries ## Run only the tests that need an API server (KUBE=1.34: an older one).
	@$(ASSETS)/kube-apiserver --version
	KUBEBUILDER_ASSETS="$(ASSETS)" go test -count=1 $(API_PACKAGES)

# Bundle mode, so that the manifests in testdata folders are not taken for data.
.PHONY: test-policies
test-policies: $(OPA) ## Check and test the policies with stock OPA.
	$(OPA) fmt --fail --diff policies
	$(OPA) check --bundle --strict --schema policies/schemas policies
	$(OPA) test --bundle policies

# The page of a report, in headless Chromium. CHROMIUM names another browser of its kind.
PAGES := $(BIN)/pages
.PHONY: pages
pages: test/browser/node_modules/.package-lock.json
	@mkdir -p $(PAGES)
	@$(BUSY) "writing the pages" go run ./test/browser/pages $(PAGES)

.PHONY: browser-packages
browser-packages:
	@tools/browser-packages.sh >/dev/null

test/browser/node_modules/.package-lock.json: test/browser/package-lock.json | browser-packages
	@npm ci --prefix test/browser

.PHONY: test-page
test-page: pages ## Test the report page in headless Chromium (root on Debian gets it installed).
	@browser=$$(tools/browser-packages.sh) && cd test/browser && CHROMIUM="$$browser" FORESTALL_PAGES=$(PAGES) node --test

.PHONY: page-picture
page-picture: pages ## Take the pictures of the report page that are in the docs.
	@browser=$$(tools/browser-packages.sh) && CHROMIUM="$$browser" FORESTALL_PAGES=$(PAGES) node test/browser/picture.mjs docs/images

.PHONY: bench
bench: kube-binaries ## Measure requests beside no-op and decode-only handlers, through a real API server, and audits beside mere parsing; writes docs/benchmarks.md (25 minutes).
	$(BUSY) "building" go build -o bin/forestall ./cmd/forestall
	$(BUSY) "go test -bench" go test -run '^$$' -bench . -benchmem ./webhook/ ./internal/review/ ./internal/apijson/ ./internal/imageref/
	KUBEBUILDER_ASSETS="$(ASSETS)" go run ./test/bench -o docs/benchmarks.md

# Twenty-five targets: four minutes each are 100 minutes.
FOR ?= 4m
.PHONY: fuzz
fuzz: ## Run every fuzz target, FOR=4m each; what one finds is written below its package's testdata.
	@grep -roE '^func Fuzz[A-Za-z]+' --include='*_test.go' cmd internal webhook | while IFS=: read -r file target; do \
		package=$$(dirname "$$file") target=$${target#func }; echo "==> $$target of $$package, for $(FOR)"; \
		go test "./$$package" -run '^$$' -fuzz "^$$target$$" -fuzztime $(FOR) -fuzzminimizetime 2s </dev/null; \
	done

# FOR is that of the fuzz targets, unless it is given.
.PHONY: slow
slow: ## Search for objects that take a processor long, FOR=1h; prints what the slowest that are known take first.
	@$(BUSY) "building the search" go build -o $(BIN)/slow ./test/slow
	@GOMAXPROCS=1 $(BIN)/slow --for 0
	@GOMAXPROCS=1 exec nice $(BIN)/slow --for $(FOR)

.PHONY: lint
lint: verify-versions verify-generated vulncheck $(GOLANGCI_LINT) ## Run the linters, and check that generated files are up to date.
	$(BUSY) "linting" $(GOLANGCI_LINT) run ./...

VULN_DB ?= https://vuln.go.dev
.PHONY: vulncheck
vulncheck: ## Look for known vulnerabilities that are called, where VULN_DB can be reached.
	@tools/vulncheck.sh $(GOVULNCHECK) "$(VULN_DB)"

.PHONY: fmt
fmt: $(GOLANGCI_LINT) $(OPA) ## Format Go and Rego.
	$(GOLANGCI_LINT) fmt ./...
	$(OPA) fmt --write policies

.PHONY: generate
generate: ## Write the generated files: the schema of the input, the pages of the rules.
	$(BUSY) "go test" go test ./internal/policy -run TestInputSchemaIsGenerated -update
	$(BUSY) "go run" go run ./cmd/forestall docs

# Compares the tree with itself, not with the last commit: work in progress is
# no reason to fail, a file that generate changes is.
.PHONY: verify-generated
verify-generated: ## Fail when make generate changes a file.
	@before=$$(mktemp) after=$$(mktemp); trap 'rm -f "$$before" "$$after"' EXIT; \
	sums() { git ls-files -z --cached --others --exclude-standard | sort -zu | { xargs -0 cksum 2>/dev/null || true; }; }; \
	sums >"$$before"; $(MAKE) --no-print-directory generate; sums >"$$after"; \
	if ! diff "$$before" "$$after"; then \
		echo "generated files were out of date; they are written now: review and commit them" >&2; exit 1; \
	fi

# The command that checks the policies is the OPA that evaluates them.
.PHONY: verify-versions
verify-versions:
	@for kube in test/kube*/go.mod; do \
		version=$$(sed -nE 's|.*k8s.io/kubernetes v([^ ]+).*|\1|p' "$$kube"); \
		grep -qF "$$version" CONTRIBUTING.md || { echo "CONTRIBUTING.md does not name Kubernetes $$version, which $$kube requires" >&2; exit 1; }; \
	done
	@if [ "$(OPA_VERSION)" != "$(call required,github.com/open-policy-agent/opa,go.mod)" ]; then \
		echo "go.mod and tools/opa/go.mod name different versions of OPA" >&2; exit 1; \
	fi

.PHONY: new-rule
new-rule: ## Write the folder of a new rule, ready to be filled in (ID=my-rule).
	@[ -n "$(ID)" ] || { echo "usage: make new-rule ID=my-rule" >&2; exit 2; }
	@go run ./cmd/forestall new-rule "$(ID)"
	@go run ./cmd/forestall docs

.PHONY: clean
clean: ## Remove all that was built.
	rm -rf $(BIN)

##@ Tools, built when they are needed

.PHONY: kube-binaries
ifdef KUBEBUILDER_ASSETS
kube-binaries:
	@for name in etcd kube-apiserver kubectl; do \
		[ -x "$(ASSETS)/$$name" ] || { echo "KUBEBUILDER_ASSETS=$(ASSETS) has no $$name" >&2; exit 1; }; \
	done
else
kube-binaries: $(KUBE_DIR)/etcd $(KUBE_DIR)/kubectl $(KUBE_DIR)/kube-apiserver ## Build a control plane, unless KUBEBUILDER_ASSETS names one.
endif

# The command of the lab ends with exec, so that Ctrl-C and its exit code are its own.
LAB := exec $(BIN)/lab

.PHONY: lab-ready
lab-ready: lab-packages lab-binaries $(BIN)/lab

.PHONY: lab-packages
lab-packages:
	@$(if $(KUBE),echo "the lab runs the Kubernetes of test/kube: leave out KUBE" >&2; exit 1,tools/lab-packages.sh)

# Always built anew: the Go build cache knows better than make what has changed.
.PHONY: $(BIN)/lab
$(BIN)/lab:
	@$(BUSY) "building the lab" go build -o $@ ./test/lab/cmd/lab

# A node besides: what makes pods run.
LAB_BINARIES := $(addprefix $(KUBE_DIR)/,etcd kube-apiserver kubectl kube-controller-manager kube-scheduler kubelet kube-proxy) \
	$(addprefix $(CONTAINERD_DIR)/,containerd containerd-shim-runc-v2 ctr) $(RUNC_DIR)/runc

.PHONY: lab-binaries
lab-binaries: $(LAB_BINARIES) ## Build a control plane and a node.

# Without the stamp, clients see a server of version v0.0.0.
kube_stamp = -X k8s.io/component-base/version.gitVersion=$(KUBE_VERSION) \
	-X k8s.io/component-base/version.gitMajor=$(word 1,$(subst ., ,$(KUBE_VERSION:v%=%))) \
	-X k8s.io/component-base/version.gitMinor=$(word 2,$(subst ., ,$(KUBE_VERSION:v%=%)))

$(KUBE_DIR)/etcd:
	@tools/build-tool.sh $(KUBE_MODULE) go.etcd.io/etcd/server/v3 $@ \
		"etcd $(ETCD_VERSION), about 1.5 minutes on 2 cores"

$(KUBE_DIR)/kubectl:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kubectl $@ \
		"kubectl $(KUBE_VERSION), about a minute on 2 cores" "$(kube_stamp)"

$(KUBE_DIR)/kube-apiserver:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kube-apiserver $@ \
		"kube-apiserver $(KUBE_VERSION), about 4 minutes on 2 cores" "$(kube_stamp)"

$(KUBE_DIR)/kube-controller-manager:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kube-controller-manager $@ \
		"kube-controller-manager $(KUBE_VERSION), about a minute on 2 cores" "$(kube_stamp)"

$(KUBE_DIR)/kube-scheduler:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kube-scheduler $@ \
		"kube-scheduler $(KUBE_VERSION), some seconds after the above" "$(kube_stamp)"

$(KUBE_DIR)/kubelet:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kubelet $@ \
		"kubelet $(KUBE_VERSION), about half a minute on 2 cores" "$(kube_stamp)"

$(KUBE_DIR)/kube-proxy:
	@tools/build-tool.sh $(KUBE_MODULE) k8s.io/kubernetes/cmd/kube-proxy $@ \
		"kube-proxy $(KUBE_VERSION), about half a minute on 2 cores" "$(kube_stamp)"

containerd_stamp = -X github.com/containerd/containerd/v2/version.Version=$(CONTAINERD_VERSION)

$(CONTAINERD_DIR)/containerd:
	@tools/build-tool.sh test/containerd github.com/containerd/containerd/v2/cmd/containerd $@ \
		"containerd $(CONTAINERD_VERSION), about a minute on 2 cores" "$(containerd_stamp)"

$(CONTAINERD_DIR)/containerd-shim-runc-v2:
	@tools/build-tool.sh test/containerd github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2 $@ \
		"containerd-shim-runc-v2 $(CONTAINERD_VERSION), some seconds after the above" "$(containerd_stamp)"

$(CONTAINERD_DIR)/ctr:
	@tools/build-tool.sh test/containerd github.com/containerd/containerd/v2/cmd/ctr $@ \
		"ctr $(CONTAINERD_VERSION), some seconds after the above" "$(containerd_stamp)"

# It enters namespaces in C, before Go begins; with seccomp, as distributions build it.
$(RUNC_DIR)/runc:
	@tools/build-tool.sh test/runc github.com/opencontainers/runc $@ \
		"runc $(RUNC_VERSION), about half a minute on 2 cores" "" seccomp

$(OPA):
	@tools/build-tool.sh tools/opa github.com/open-policy-agent/opa $@ \
		"opa $(OPA_VERSION), about a minute on 2 cores"

$(GOVULNCHECK):
	@tools/build-tool.sh tools/govulncheck golang.org/x/vuln/cmd/govulncheck $@ \
		"govulncheck $(VULN_VERSION), some seconds"

$(GOLANGCI_LINT):
	@tools/build-tool.sh tools/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint $@ \
		"golangci-lint $(LINT_VERSION), about 4 minutes on 2 cores"
