package memory_test

import (
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
)

// FuzzDemand reads memory out of whatever people write as a command, its
// environment and an image: it ends, and what it finds is an amount that exists.
func FuzzDemand(f *testing.F) {
	for _, seed := range [][4]string{
		{"java\n-Xms1g\n-Xmx2g\n-XX:+AlwaysPreTouch\n-jar\na.jar", "", "JAVA_TOOL_OPTIONS=-Xmx1g -XX:MaxRAM=4g", "app:1"},
		{"sh\n-c\nexec java $OPTS -Xmx${HEAP}m -jar a.jar", "", "HEAP=99999999999999999999", "app:1"},
		{"", "--maxmemory\n6gb", "", "docker.io/library/redis:7@sha256:00"},
		{"stress", "--vm\n65536\n--vm-bytes\n9223372036854775807g", "", "polinux/stress"},
		{"", "-Xmx9t\n-XX:MaxRAMPercentage=1e308\n-jar\na", "_JAVA_OPTIONS=-XX:MaxRAMPercentage=NaN", ":@:"},
		{"node\n--max-old-space-size=9007199254740993", "", "NODE_OPTIONS='--max_old_space_size=0'", ""},
		{"env\nA=b\nredis-server", "--maxmemory\n1gb\n--maxmemory", "GOMEMLIMIT=1KiB", "a/b/c"},
		{"bash\n-ec\njava \\\n -Xmx\xff", "@file", "KAFKA_HEAP_OPTS=@x -Xmx1g", "\xff"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	table, programs := tables(f)
	limit := memory.Observe(memory.Input{Container: corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Mi")},
	}}).Limit
	f.Fuzz(func(t *testing.T, words, args, variable, image string) {
		name, value, _ := strings.Cut(variable, "=")
		c := corev1.Container{Image: image, Command: lines(words), Args: lines(args), Env: []corev1.EnvVar{{Name: name, Value: value}}}
		in := command.Input{Command: c.Command, CommandPath: "c", Args: c.Args, ArgsPath: "a"}
		in.SetEnv([]command.Variable{{Name: name, Value: value}})
		p := memory.Process{
			Container: &c, Path: "p", Env: in.Env,
			Invoked: func() command.Invocation { return command.Invoked(in, programs) },
		}
		for _, ask := range memory.ObserveDemand(p, limit, table).Asks {
			if ask.Bytes < 0 || ask.Text == "" || ask.Flag == "" || ask.Path == "" {
				t.Errorf("%+v is no demand", ask)
			}
		}
		if need := memory.ObserveNeed(p, limit, table); need.Bytes < 0 {
			t.Errorf("%+v is no need", need)
		}
	})
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// tables are what the project knows.
func tables(t testing.TB) (memory.Table, command.Programs) {
	t.Helper()
	read := func(name string) []byte {
		raw, err := os.ReadFile("../../../policies/data/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	table, err := memory.ParseTable(read("memory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	programs, err := command.ParsePrograms(read("programs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return table, programs
}
