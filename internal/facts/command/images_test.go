package command

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

// images is the table of images that is shipped.
func images(t testing.TB) Images {
	t.Helper()
	data, err := os.ReadFile("../../../policies/data/images.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known, err := ParseImages(data)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

const (
	imagePath = "spec.containers[0].image"
	reads     = " without a script reads standard input, which is empty, and ends"
	bare      = ": a shell without a script reads standard input, which is empty, and ends"
)

func rejected(because string) Ends {
	e := exited(because, 0, 1)
	e.Rejects = "infinity"
	return e
}

func TestBaseImages(t *testing.T) {
	programs, known := table(t), images(t)
	atImage := func(because string) Ends { return exited(because, 0, 0).at(imagePath) }
	silent := unknown(imageRuns).at(commandPath)
	unclearArgs := unknown(entrypointRuns).at(argsPath)
	for name, test := range map[string]struct {
		image         string
		command, args []string
		stdin         bool
		want          Ends
	}{
		"alpine":             {image: "alpine", want: atImage("image alpine runs /bin/sh" + bare)},
		"with its registry":  {image: "docker.io/library/alpine:3.20", want: atImage("image alpine runs /bin/sh" + bare)},
		"in short":           {image: "docker.io/busybox:latest", want: atImage("image busybox runs sh" + bare)},
		"by a digest":        {image: "debian@sha256:" + strings.Repeat("0", 64), want: atImage("image debian runs bash" + bare)},
		"bash":               {image: "ubuntu:24.04", want: atImage("image ubuntu runs /bin/bash" + bare)},
		"python":             {image: "python:3.9", want: atImage("image python runs python3: python3" + reads)},
		"node":               {image: "node:22-alpine", want: atImage("image node runs node: node" + reads)},
		"greeting":           {image: "hello-world", want: atImage("image hello-world prints a greeting and ends")},
		"standard input":     {image: "alpine", stdin: true, want: unknown("sh runs what it reads from standard input").at(imagePath)},
		"another registry":   {image: "registry.example.com/alpine:3.20", want: silent},
		"another repository": {image: "acme/alpine", want: silent},
		"a mirror":           {image: "mirror.example.com/library/alpine", want: silent},
		"not an image":       {image: "Alpine/alpine:::", want: silent},
		"no image":           {want: silent},
		"old python":         {image: "python:2.7", want: atImage("image python runs python2: python2" + reads)},
		"not old":            {image: "python:20", want: atImage("image python runs python3: python3" + reads)},
		"perhaps old":        {image: "python@sha256:" + strings.Repeat("0", 64), want: silent},
		"with a digest":      {image: "golang:1.25@sha256:" + strings.Repeat("0", 64), want: atImage("image golang runs bash" + bare)},
		"a variant":          {image: "golang:1.25-alpine", want: atImage("image golang runs /bin/sh" + bare)},
		"a server variant":   {image: "php:8.3-fpm-alpine", want: silent},
		"php":                {image: "php:8.3-cli", want: ended("image php runs php -a: php"+reads, 0).at(imagePath)},
		"jdk":                {image: "eclipse-temurin:21", want: ended("image eclipse-temurin runs jshell: jshell"+reads, 0).at(imagePath)},
		"old jdk":            {image: "openjdk:8u212-jdk", want: atImage("image openjdk runs bash" + bare)},
		"jre":                {image: "eclipse-temurin:17-jre-alpine", want: atImage("image eclipse-temurin runs /bin/sh" + bare)},
		"for Windows":        {image: "python:3-windowsservercore", want: silent},
		"a public mirror":    {image: "public.ecr.aws/docker/library/alpine:3", want: atImage("image alpine runs /bin/sh" + bare)},
		"of Kubernetes":      {image: "registry.k8s.io/busybox:1.27.2", want: atImage("image registry.k8s.io/busybox runs sh" + bare)},
		"unknown image":      {image: "acme/web", want: silent},
		"a server":           {image: "nginx:1.29-alpine", want: remains(imageRuns, "image nginx runs a web server, without end").at(imagePath)},
		"a mirrored server":  {image: "public.ecr.aws/docker/library/nginx", want: remains(imageRuns, "image nginx runs a web server, without end").at(imagePath)},
		"not that server":    {image: "registry.example.com/nginx", want: silent},
		"a server with args": {image: "nginx", args: words("nginx -t"), want: unclearArgs},

		"args":               {image: "alpine", args: words("echo hi"), want: exited(echoes, 0, 0).at(argsPath)},
		"script in args":     {image: "alpine", args: script("echo hi"), want: exited(echoes, 0, 0).at(argsPath + "[2]")},
		"args with an image": {image: "node", args: words("echo hi"), want: unclearArgs},
		"args of a greeting": {image: "hello-world", args: words("echo hi"), want: unclearArgs},
		"args of unknown":    {image: "acme/alpine", args: words("echo hi"), want: unclearArgs},

		"old busybox":    {image: "busybox:1.29", command: script("sleep infinity"), want: inScript(rejected(`sleep of image busybox:1.29 does not know "infinity" and ends`))},
		"old alpine":     {image: "alpine:3.10.3", command: words("sleep inf"), want: rejected(`sleep of image alpine:3.10.3 does not know "infinity" and ends`).at(commandPath)},
		"busybox":        {image: "busybox:1.31", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"alpine 3.11":    {image: "alpine:3.11", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"no version":     {image: "busybox:1", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"stable":         {image: "busybox:stable", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"debian":         {image: "debian:9.1", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"another box":    {image: "acme/busybox:1.29", command: words("sleep infinity"), want: neverEnds("sleep waits, without end").at(commandPath)},
		"installed":      {image: "alpine:3.9", command: script("timeout 60 apk add coreutils; exec sleep infinity"), want: inScript(neverEnds("sleep waits, without end"))},
		"just installed": {image: "alpine:3.9", command: script("apk add coreutils; exec sleep infinity"), want: inScript(neverEnds("sleep waits, without end"))},
	} {
		in := Input{
			Command: test.command, CommandPath: commandPath, Args: test.args, ArgsPath: argsPath,
			Image: known.Find(test.image), ImagePath: imagePath, Stdin: test.stdin,
		}
		facts := Analyze(in, programs)
		if diff := cmp.Diff(test.want, facts.Ends); diff != "" {
			t.Errorf("%s: unexpected fact (-want +got):\n%s", name, diff)
		}
	}
}

func TestBaseImageListens(t *testing.T) {
	known := images(t)
	for name, want := range map[string]Listens{
		"alpine:3.20": quiet(imagePath, "image alpine runs /bin/sh: a shell without a script reads standard input, which is empty"),
		"hello-world": quiet(imagePath, "image hello-world prints a greeting"),
		"nginx":       {Observation: fact.UnknownAt(commandPath, imageRuns)},
	} {
		in := Input{CommandPath: commandPath, ArgsPath: argsPath, Image: known.Find(name), ImagePath: imagePath}
		if diff := cmp.Diff(want, Analyze(in, table(t)).Listens); diff != "" {
			t.Errorf("%s: unexpected fact (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseImages(t *testing.T) {
	const valid = `
images:
  - {images: [one], source: "https://example.com/one", cmd: [sh]}
`
	if _, err := ParseImages([]byte(valid)); err != nil {
		t.Fatal(err)
	}
	entry := func(fields string) string {
		return valid + "  - {images: [two], source: \"https://example.com/two\", " + fields + "}\n"
	}
	for name, test := range map[string]struct{ yaml, err string }{
		"not YAML":       {"images: [", "reading the table of images: "},
		"unknown field":  {"image: []", `unknown field "image"`},
		"unknown in one": {entry("command: [sh]"), `entry 2 (two): json: unknown field "command"`},
		"no names":       {"images: [{source: x}]", "entry 1 (): images is empty"},
		"no source":      {"images: [{images: [x], source: man}]", `source "man" is not an https address`},
		"nothing":        {entry("args: replace"), "it needs one of cmd, does and runs"},
		"both":           {entry("cmd: [sh], does: ends"), "it needs one of cmd, does and runs"},
		"args":           {entry("cmd: [sh], args: append"), `args "append" is not replace`},
		"args and does":  {entry("does: ends, args: replace"), "args and tags can only stand with cmd"},
		"tags and does":  {entry("does: ends, tags: [{words: [x]}]"), "args and tags can only stand with cmd"},
		"every tag":      {entry("cmd: [sh], tags: [{cmd: [bash]}]"), "a kind of tag fits every tag"},
		"empty word":     {entry(`cmd: [sh], tags: [{words: [""]}]`), "a kind of tag fits every tag"},
		"version":        {entry(`cmd: [sh], sleepInfinityFrom: "3"`), `sleepInfinityFrom "3" is not a version`},
		"long name":      {"images: [{images: [docker.io/x], source: 'https://x', cmd: [sh]}]", "is not a name in its familiar form"},
		"with a tag":     {"images: [{images: ['x:1'], source: 'https://x', cmd: [sh]}]", "is not a name in its familiar form"},
		"invalid name":   {"images: [{images: [X], source: 'https://x', cmd: [sh]}]", `"X" is not the name of an image`},
		"listed twice":   {entry("cmd: [sh]") + entry("cmd: [sh]")[len(valid):], `"two" is listed twice`},
	} {
		if _, err := ParseImages([]byte(test.yaml)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: error %v, want %q in it", name, err, test.err)
		}
	}
}

func FuzzImages(f *testing.F) {
	programs, known := table(f), images(f)
	for _, text := range []string{
		"", "alpine", "docker.io/library/python:3@sha256:0", "a/b:c", "busybox:1.29.3-glibc", ":", "@", "x/:alpine",
		"registry.k8s.io/e2e-test-images/busybox:1.29-" + strings.Repeat("x", 100), "hello-world:nanoserver",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, sleeps bool) {
		in := Input{CommandPath: commandPath, ArgsPath: argsPath, Image: known.Find(text), ImagePath: imagePath}
		if sleeps {
			in.Command = words("sleep infinity")
		}
		facts := Analyze(in, programs)
		if facts.Argv.State != fact.Absent {
			checkInvariants(t, facts)
		}
	})
}
