package main

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/forestall/forestall/internal/cluster"
)

// TestUnsettledNamesRules that there are.
func TestUnsettledNamesRules(t *testing.T) {
	rules, err := catalogue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	app{streams{err: &told}}.tellUnsettled(cluster.Unsettled{Pods: true, MemoryLimits: true})
	ids := regexp.MustCompile(`[a-z]+(-[a-z]+)+`).FindAllString(told.String(), -1)
	for _, id := range ids {
		if !slices.ContainsFunc(rules, hasID(id)) {
			t.Errorf("there is no rule %q", id)
		}
	}
	if len(ids) != 3 {
		t.Errorf("%d rules are named: %s", len(ids), told.String())
	}
}
