package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/test/apiserver"
)

// offNamespace is labelled so that forestall is not asked about what is in it.
const offNamespace = "without-forestall"

// preview shows what forestall changes in a manifest: the API server is asked
// what it would store, once in a namespace that forestall leaves alone and once
// in the default one, and the two answers are compared. Nothing is stored. A
// manifest that is denied has no preview.
func preview(ctx context.Context, cluster *apiserver.Cluster, file string) (string, error) {
	with, stderr, exit := dryRun(ctx, cluster, "default", file)
	if exit != 0 {
		if classify(stderr, exit, "") == denied {
			return "", nil
		}
		return "", fmt.Errorf("trying %s: %s", file, strings.TrimSpace(stderr))
	}
	without, stderr, exit := dryRun(ctx, cluster, offNamespace, file)
	if exit != 0 {
		return "", fmt.Errorf("trying %s without forestall: %s", file, strings.TrimSpace(stderr))
	}
	before, err := normal(without)
	if err != nil {
		return "", fmt.Errorf("reading what the API server made of %s: %w", file, err)
	}
	after, err := normal(with)
	if err != nil {
		return "", fmt.Errorf("reading what forestall made of %s: %w", file, err)
	}
	return string(diff.Diff("as written", before, "as forestall stores it", after)), nil
}

func dryRun(ctx context.Context, cluster *apiserver.Cluster, namespace, file string) (stdout, stderr string, exit int) {
	return cluster.Kubectl(ctx, "create", "--dry-run=server", "-o", "yaml", "-n", namespace, "-f", file)
}

// normal drops from objects what differs between any two of them.
func normal(documents string) ([]byte, error) {
	var normalised [][]byte
	for document := range strings.SplitSeq(documents, "\n---\n") {
		text, err := normalObject(document)
		if err != nil {
			return nil, err
		}
		normalised = append(normalised, text)
	}
	return bytes.Join(normalised, []byte("---\n")), nil
}

func normalObject(document string) ([]byte, error) {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(document), &object); err != nil {
		return nil, err
	}
	uid := field[string](object, "metadata", "uid")
	metadata := field[map[string]any](object, "metadata")
	for _, name := range []string{"creationTimestamp", "generation", "managedFields", "namespace", "resourceVersion", "uid"} {
		delete(metadata, name)
	}
	spec := field[map[string]any](object, "spec")
	for _, name := range []string{"clusterIP", "clusterIPs"} {
		delete(spec, name)
	}
	delete(object, "status")
	text, err := yaml.Marshal(object)
	if err != nil || uid == "" {
		return text, err
	}
	// The labels and the selector of a Job repeat its uid.
	return bytes.ReplaceAll(text, []byte(uid), []byte("UID")), nil
}

// field returns what is at a path in an object, or nothing.
func field[T any](object map[string]any, path ...string) T {
	var at any = object
	for _, name := range path {
		inner, _ := at.(map[string]any)
		at = inner[name]
	}
	value, _ := at.(T)
	return value
}
