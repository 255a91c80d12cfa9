package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// asCommand in the environment makes the test binary the command itself.
const asCommand = "FORESTALL_WEBHOOK_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestUsage(t *testing.T) {
	const files = "--tls-cert-file=tls.crt --tls-key-file=tls.key "
	const ca = "--ca-secret=forestall/ca --dns-name=localhost "
	for _, test := range []struct {
		name string
		args string
		want []string
	}{
		{"no certificate", "", []string{"give one of them"}},
		{"both sources", files + ca, []string{"contradict --ca-secret"}},
		{"no key", "--tls-cert-file=tls.crt", []string{"one is missing"}},
		{"no certificate for the key", "--tls-key-file=tls.key", []string{"one is missing"}},
		{"names beside files", files + "--dns-name=localhost", []string{"--dns-name contradicts --tls-cert-file"}},
		{"a name without a CA", "--dns-name=localhost", []string{"--ca-secret is missing"}},
		{"a CA without a name", "--ca-secret=forestall/ca", []string{"--ca-secret needs --dns-name"}},
		{"a CA without a namespace", "--ca-secret=ca --dns-name=localhost", []string{`--ca-secret: "ca" is not namespace/name`}},
		{"a CA with too many parts", "--ca-secret=a/b/c --dns-name=localhost", []string{`--ca-secret: "a/b/c" is not namespace/name`}},
		{"a name that is none", "--ca-secret=a/b --dns-name=https://x", []string{`--dns-name: "https://x" is not a DNS name`}},
		{"an address", "--ca-secret=a/b --dns-name=10.0.0.1", []string{`--dns-name: "10.0.0.1" is not a DNS name`}},
		{"several at once", files + "--webhook-bind-address=x --metrics-bind-address=y --health-probe-bind-address=:z " +
			"--failure-mode=open --shutdown-delay=-1s --max-concurrent=-1 --max-body-memory=9Mi --max-connections=0 --client-name=x --log-level=loud --log-format=xml", []string{
			`--webhook-bind-address: "x" is not an address`,
			`--health-probe-bind-address: ":z" is not an address`,
			`--metrics-bind-address: "y" is not an address`,
			`--failure-mode: unknown failure mode "open": it is ignore or fail`,
			`--shutdown-delay: -1s is negative`,
			`--max-concurrent: -1 is negative`,
			`--max-body-memory: 9Mi is too little for the largest body: it must be at least 10Mi`,
			`--max-connections: 0 is too few: it must be at least 1`,
			`--client-name needs --client-ca-file: without a CA nobody can prove a name`,
			`--log-level: unknown level "loud"`,
			`--log-format: unknown format "xml"`,
		}},
		{"an unknown flag", "--webhook-port=1", []string{"unknown flag: --webhook-port"}},
		{"an argument", files + "start", []string{`unknown command "start"`}},
		{"help about nothing", "help start", []string{`there is no command "start"`}},
		{"no such configuration", files + "--config=nowhere.yaml", []string{"reading the configuration: open nowhere.yaml"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), strings.Fields(test.args), &stdout, &stderr); code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			for _, want := range append(test.want, "See forestall-webhook --help.\n") {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr\n%swant %s in it", stderr.String(), want)
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout: %s", stdout.String())
			}
		})
	}
}

// Certificates that cannot be read are a failure, not one of usage: the flags are right.
func TestFailureToStart(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"--tls-cert-file=nowhere.crt", "--tls-key-file=nowhere.key"}, &stdout, &stderr)
	const want = "forestall-webhook: reading the serving certificate: open nowhere.crt: no such file or directory\n"
	if code != exitFailed || !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("exit code %d, stderr\n%swant %d and\n%s", code, stderr.String(), exitFailed, want)
	}
}

// The help is the reference of the flags.
func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--help"}, &stdout, &stderr); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	file := filepath.Join("testdata", "help.txt")
	if *update {
		if err := os.WriteFile(file, stdout.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if stdout.String() != string(want) {
		t.Errorf("the help differs from %s; run the test with -update\n%s", file, stdout.String())
	}
}

func TestVersion(t *testing.T) {
	want := versionLine(buildInfo()) + "\n"
	for _, arg := range []string{"version", "--version"} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{arg}, &stdout, &stderr); code != exitOK || stdout.String() != want || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q", arg, code, stdout.String(), stderr.String(), want)
		}
	}
}

// The server stays small and quick to start: what renders charts belongs to the
// command line, and an API server's libraries to API servers.
func TestDependencies(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, dependency := range strings.Fields(string(out)) {
		for _, barred := range []string{"helm.sh/", "sigs.k8s.io/kustomize/", "k8s.io/cli-runtime", "k8s.io/apiserver", "github.com/google/go-containerregistry"} {
			if strings.HasPrefix(dependency, barred) {
				t.Errorf("%s is linked in", dependency)
			}
		}
	}
}
