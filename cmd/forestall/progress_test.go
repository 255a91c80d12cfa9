package main

import (
	"testing"
	"time"

	"github.com/forestall/forestall/internal/audit"
)

func TestProgressText(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		at     stagePoint
		passed time.Duration
		want   string
	}{
		{stagePoint{stage: "starting"}, 3 * time.Second, "starting…"},
		{stagePoint{stage: audit.Reading, done: 40}, 10 * time.Millisecond, "reading documents: 40"},
		{stagePoint{stage: audit.Reading, done: 40}, 2 * time.Second, "reading documents: 40, 20 a second"},
		{stagePoint{stage: audit.Reviewing, done: 40, total: 400}, 2 * time.Second, "reviewing objects: 40 of 400, 20 a second, 18s left"},
		{stagePoint{stage: audit.Reviewing, done: 400, total: 400}, 2 * time.Second, "reviewing objects: 400 of 400, 200 a second"},
	} {
		test.at.began = began
		if got := test.at.text(began.Add(test.passed)); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
