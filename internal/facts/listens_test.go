package facts_test

import (
	"testing"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/policies"
)

func TestListens(t *testing.T) {
	raw, err := policies.FS.ReadFile("data/programs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := command.ParsePrograms(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, container string
		want            fact.State
	}{
		{"sleep", "{name: c, image: c:1, command: [sleep, infinity]}", fact.Absent},
		{
			"a hook starts something", "{name: c, image: c:1, command: [sleep, infinity], lifecycle: {postStart: {exec: {command: [/app/start]}}}}",
			fact.Unknown,
		},
		{"the image decides", "{name: c, image: c:1}", fact.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: ["+tt.container+"]}}")
			got := factsOf(v, alone(), facts.Knowledge{Programs: programs}).Containers[0].Listens
			if got.State != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}
