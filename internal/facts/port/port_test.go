package port_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/port"
)

func TestMentions(t *testing.T) {
	exec := &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"nc", "-z", "localhost", "7"}}}}
	web := &corev1.Container{
		Name:          "web",
		Ports:         []corev1.ContainerPort{{ContainerPort: 1}},
		Command:       []string{"/bin/web", "--listen=:2"},
		Args:          []string{"x18500y", "-p4"},
		Env:           []corev1.EnvVar{{Name: "URL", Value: "http://db:5/x"}},
		LivenessProbe: exec,
	}
	second := &corev1.Container{Name: "second", Args: []string{"2", "2"}}
	containers := []port.Container{{Container: web, Path: "c[0]"}, {Container: second, Path: "c[1]"}}
	at := func(path string, more ...port.Place) port.Mentions {
		return port.Mentions{Observation: fact.PresentAt(path), Places: append([]port.Place{{Container: "web", Path: path}}, more...)}
	}
	absent := port.Mentions{Observation: fact.AbsentAt("")}
	var s port.Search
	for _, tt := range []struct {
		number int32
		exec   bool
		want   port.Mentions
	}{
		{1, false, at("c[0].ports[0]")},
		{2, false, at("c[0].command[1]", port.Place{Container: "second", Path: "c[1].args[0]"})},
		{8500, false, absent},
		{4, false, at("c[0].args[1]")},
		{5, false, at("c[0].env[0]")},
		{6, false, port.Mentions{
			Observation: fact.PresentAt("metadata.annotations[scrape]"),
			Places:      []port.Place{{Path: "metadata.annotations[scrape]"}},
		}},
		{7, false, absent},
		{7, true, at("c[0].livenessProbe.exec.command[3]")},
	} {
		s.For(tt.number)
		s.In(containers, map[string]string{"scrape": "6"})
		if diff := cmp.Diff(tt.want, s.Mentions(tt.number, tt.exec)); diff != "" {
			t.Errorf("%d, exec %v (-want +got):\n%s", tt.number, tt.exec, diff)
		}
	}
	if got := s.Mentions(99, false).State; got != fact.Unknown {
		t.Errorf("a number that nobody looked for is %s", got)
	}
}

func TestMentionsFromElsewhere(t *testing.T) {
	ref := &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{}}
	for _, tt := range []struct {
		name string
		in   corev1.Container
		want fact.State
	}{
		{"a port from a ConfigMap", corev1.Container{Env: []corev1.EnvVar{{Name: "MANAGEMENT_PORT", ValueFrom: ref}}}, fact.Unknown},
		{"a password", corev1.Container{Env: []corev1.EnvVar{{Name: "PASSWORD", ValueFrom: ref}}}, fact.Absent},
		{"the pod's address", corev1.Container{Env: []corev1.EnvVar{{Name: "ADDR", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{}}}}}, fact.Absent},
		{"anything", corev1.Container{EnvFrom: []corev1.EnvFromSource{{}}}, fact.Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s port.Search
			s.For(8080)
			tt.in.Name = "web"
			s.In([]port.Container{{Container: &tt.in, Path: "c"}}, nil)
			got := s.Mentions(8080, false)
			if got.State != tt.want || (got.State == fact.Unknown) != slices.Contains(got.Elsewhere, "web") {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}

func TestNamedBy(t *testing.T) {
	c := &corev1.Container{
		Command: []string{"/bin/sh", "-c", "exec agent -http-port=18500 -db-port=5432 --listen '0.0.0.0:9000'"},
		Args:    []string{"--port", "8080", "--bind=[::]:7000", "--addr=db:5432", "--web.listen-address=:9115", "--port=http", "port=1"},
		Env:     []corev1.EnvVar{{Name: "PORT", Value: "3000"}, {Name: "DB_PORT", Value: "5432"}, {Name: "BIND_ADDR", Value: "127.0.0.1:81"}},
	}
	want := []port.Named{
		{Number: 18500, Text: "-http-port=18500", Path: "c.command[2]"},
		{Number: 9000, Text: "--listen '0.0.0.0:9000'", Path: "c.command[2]"},
		{Number: 8080, Text: "--port 8080", Path: "c.args[0]"},
		{Number: 7000, Text: "--bind=[::]:7000", Path: "c.args[2]"},
		{Number: 9115, Text: "--web.listen-address=:9115", Path: "c.args[4]"},
		{Number: 3000, Text: "PORT=3000", Path: "c.env[0]"},
	}
	if diff := cmp.Diff(want, port.NamedBy(new(budget.Budget), c, "c")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoopback(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    []int32
	}{
		{"consul members -http-addr=http://127.0.0.1:8500", []int32{8500}},
		{"sh -c 'curl -f http://localhost:8080/health || wget http://[::1]:81?x'", []int32{8080, 81}},
		{"nc -z localhost 6379", []int32{6379}},
		{"curl http://localhost/health", nil},
		{"curl http://db:8080", nil},
		{"echo 127.0.0.1:80a localhost 99999 localhost:", nil},
		{strings.Repeat("localhost:80 ", 1e4), nil}, // too long to be looked at
	} {
		if diff := cmp.Diff(tt.want, port.Loopback(new(budget.Budget), strings.Fields(tt.command))); diff != "" {
			t.Errorf("%.60s (-want +got):\n%s", tt.command, diff)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"--port=8080", "localhost:8080", "[::1] 1", "0000080", "--listen 0.0.0.0:1", "٣", "-p\xff8080", "127.0.0.1:65536"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		numbers := slices.Collect(port.Numbers(text))
		for _, n := range append(numbers, port.Loopback(new(budget.Budget), []string{text})...) {
			if n < 1 || n > 65535 {
				t.Errorf("%d is no port", n)
			}
		}
		for _, n := range port.Loopback(new(budget.Budget), []string{text}) {
			if !slices.Contains(numbers, n) {
				t.Errorf("%d is asked, and not among the numbers", n)
			}
		}
		for _, n := range port.NamedBy(new(budget.Budget), &corev1.Container{Args: []string{text}}, "c") {
			if !slices.Contains(numbers, n.Number) {
				t.Errorf("%d is named, and not among the numbers", n.Number)
			}
		}
	})
}

// Of many containers the first places are kept, and one of a container that may listen is among them:
// without it, nothing would answer there.
func TestPlacesAreBounded(t *testing.T) {
	var containers []port.Container
	for i := range 20 {
		c := &corev1.Container{
			Name: fmt.Sprintf("c%d", i), Args: []string{"8080"},
			EnvFrom: []corev1.EnvFromSource{{}},
		}
		containers = append(containers, port.Container{Container: c, Path: c.Name, Listens: i >= 15})
	}
	var s port.Search
	s.For(8080)
	s.In(containers, nil)
	got := s.Mentions(8080, false)
	if n := len(got.Places); n != 8 || got.Places[n-1].Container != "c15" || len(got.Elsewhere) != 8 || got.Elsewhere[7] != "c15" {
		t.Errorf("places %v, elsewhere %v", got.Places, got.Elsewhere)
	}
}

// What asks a great many ports is no check of one container's health.
func TestLoopbackIsBounded(t *testing.T) {
	for n, want := range map[int]int{16: 16, 17: 0} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "localhost:%d ", 1000+i)
		}
		if got := port.Loopback(new(budget.Budget), []string{text.String()}); len(got) != want {
			t.Errorf("%d ports are asked, %d are found", n, len(got))
		}
	}
}

// Once the budget is spent a number is not known to stand nowhere.
func TestMentionsAreUnknownWithoutSteps(t *testing.T) {
	s := port.Search{Budget: budget.New(t.Context(), 3)}
	s.For(8080)
	s.In([]port.Container{{Container: &corev1.Container{Name: "a", Args: []string{"a", "b", "c", "d"}}, Path: "a"}}, nil)
	if got := s.Mentions(8080, false); got.State != fact.Unknown || got.Reason == "" {
		t.Errorf("it is %s, %q", got.State, got.Reason)
	}
}
