package facts_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/command"
	"github.com/forestall/forestall/internal/facts/memory"
)

// known is what the tables of the project say.
func known(t testing.TB) facts.Knowledge {
	t.Helper()
	read := func(name string) []byte {
		raw, err := os.ReadFile("../../policies/data/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	programs, err := command.ParsePrograms(read("programs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := memory.ParseTable(read("memory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return facts.Knowledge{Programs: programs, Memory: table}
}

const (
	at      = "spec.containers[0]"
	mebi    = int64(1 << 20)
	gibi    = int64(1 << 30)
	limit1G = "\n  resources: {limits: {memory: 1Gi}}"
)

func replace(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

func podOf(container string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n containers:\n - name: main\n   image: app:1\n   " +
		indent(container)
}

// withoutImage leaves the image out where the container names its own.
func withoutImage(pod string) string { return replace(pod, "   image: app:1\n   image:", "   image:") }

func indent(s string) string {
	out := ""
	for _, r := range s {
		out += string(r)
		if r == '\n' {
			out += " "
		}
	}
	return out
}

func TestDemand(t *testing.T) {
	heap := func(bytes int64, text, flag, variable, path string) memory.Ask {
		return memory.Ask{Kind: memory.Heap, Bytes: bytes, Text: text, Flag: flag, Variable: variable, Path: path}
	}
	// begins is a heap that begins with so much, taken one that is touched besides.
	begins := func(a memory.Ask, start int64) memory.Ask { a.Start = start; return a }
	taken := func(a memory.Ask) memory.Ask { a.Taken, a.Start = true, a.Bytes; return a }
	// assumed is one of a variable that may not be read.
	assumed := func(a memory.Ask) memory.Ask { a.Assumed = true; return a }
	start := func(a memory.Ask, most int64) memory.Ask { a.Most = most; return taken(a) }
	env := at + ".env[0].value"
	for name, tt := range map[string]struct {
		container string
		want      []memory.Ask
	}{
		"nothing":                 {`command: [app]`, nil},
		"java, the last one wins": {`command: [java, -Xmx1g, -Xmx2g, -jar, a.jar, -Xmx9g]`, []memory.Ask{heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]")}},
		"args of an entrypoint":   {`args: [java, -cp, x, -Xmx2048k, Main]`, []memory.Ask{heap(2*mebi, "-Xmx2048k", "-Xmx", "", at+".args[3]")}},
		"units are binary":        {`command: [java, -Xmx1024M, -version]`, []memory.Ask{heap(gibi, "-Xmx1024M", "-Xmx", "", at+".command[1]")}},
		"no unit of the JVM":      {`command: [java, -Xmx1Gi, -version]`, nil},
		"behind a shell":          {`command: [sh, -c, 'cd /app && exec java -Xmx2g -jar a.jar']`, []memory.Ask{heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]")}},
		"an unknown word before the class may hold it again": {`command: [sh, -c, 'java -Xmx2g $MORE -jar a.jar']`, nil},
		"a later flag settles it":                            {`command: [sh, -c, 'java $MORE -Xmx2g -jar a.jar']`, []memory.Ask{heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]")}},
		"the script uses a variable": {
			"command: [sh, -c, 'exec java $OPTS -jar a.jar']\n  env: [{name: OPTS, value: -Xmx3g -Dx=y}]",
			[]memory.Ask{heap(3*gibi, "-Xmx3g", "-Xmx", "", at+".command[2]")},
		},
		"a script that sets variables": {"command: [sh, -c, 'export JAVA_OPTS=-Xmx1g; exec ./start']\n  env: [{name: JAVA_OPTS, value: -Xmx2g}]", nil},
		"pretouched": {
			`command: [java, -Xms2g, -Xmx2g, -XX:+AlwaysPreTouch, -version]`,
			[]memory.Ask{taken(heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]"))},
		},
		"not pretouched": {`command: [java, -Xms1g, -Xmx2g, -version]`, []memory.Ask{begins(heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]"), gibi)}},
		"the start is pretouched": {
			`command: [java, -Xms1g, -Xmx2g, -XX:+AlwaysPreTouch, -version]`,
			[]memory.Ask{
				begins(heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[2]"), gibi),
				start(heap(gibi, "-Xms1g with -XX:+AlwaysPreTouch", "-Xms", "", at+".command[1]"), 2*gibi),
			},
		},
		"a JVM that does not start": {`command: [java, -Xms2g, -Xmx1g, -XX:+AlwaysPreTouch, -version]`, nil},
		"a file of options":         {`command: [java, -Xmx2g, '-XX:VMOptionsFile=a', -version]`, nil},
		"only the start is given":   {`command: [java, -Xms2g, -version]`, []memory.Ask{heap(2*gibi, "-Xms2g", "-Xms", "", at+".command[1]")}},
		"huge pages are not these":  {`command: [java, -Xmx2g, -XX:+UseLargePages, -version]`, nil},
		"an argument file":          {`command: [java, -Xmx2g, "@options", -version]`, nil},
		"a variable of the JVM": {
			"env: [{name: JAVA_TOOL_OPTIONS, value: '-Da=b -Xmx1536m'}]",
			[]memory.Ask{assumed(heap(1536*mebi, "-Xmx1536m in JAVA_TOOL_OPTIONS", "-Xmx", "JAVA_TOOL_OPTIONS", env))},
		},
		"the command line wins":               {"command: [java, -Xmx2g, -version]\n  env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}]", []memory.Ask{heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".command[1]")}},
		"but not over _JAVA_OPTIONS":          {"command: [java, -Xmx2g, -version]\n  env: [{name: _JAVA_OPTIONS, value: -Xmx1g}]", []memory.Ask{heap(gibi, "-Xmx1g in _JAVA_OPTIONS", "-Xmx", "_JAVA_OPTIONS", env)}},
		"java itself does not read JAVA_OPTS": {"command: [java, -version]\n  env: [{name: JAVA_OPTS, value: -Xmx1g}]", nil},
		"a start script does":                 {"env: [{name: JAVA_OPTS, value: -Xmx1g}]", []memory.Ask{assumed(heap(gibi, "-Xmx1g in JAVA_OPTS", "-Xmx", "JAVA_OPTS", env))}},
		"two conventions that disagree":       {"env: [{name: JAVA_OPTS, value: -Xmx1g}, {name: CATALINA_OPTS, value: -Xmx2g}]", []memory.Ask{assumed(heap(gibi, "-Xmx1g in JAVA_OPTS", "-Xmx", "JAVA_OPTS", env))}},
		"no JVM runs":                         {"command: [sleep, '1000']\n  env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}]", nil},
		"a value that is not at hand":         {"env: [{name: JAVA_OPTS, valueFrom: {configMapKeyRef: {name: a, key: b}}}]", nil},
		"a share of the limit": {
			"env: [{name: KAFKA_HEAP_OPTS, value: '-XX:MaxRAMPercentage=75.0'}]" + limit1G,
			[]memory.Ask{assumed(memory.Ask{Kind: memory.Heap, Bytes: 768 * mebi, Percent: 75, Text: "-XX:MaxRAMPercentage=75.0 in KAFKA_HEAP_OPTS", Flag: "-XX:MaxRAMPercentage", Variable: "KAFKA_HEAP_OPTS", Path: env})},
		},
		"-Xmx is stronger than a share": {"command: [java, -Xmx1g, '-XX:MaxRAMPercentage=75.0', -version]" + limit1G, []memory.Ask{heap(gibi, "-Xmx1g", "-Xmx", "", at+".command[1]")}},
		"one part of the limit": {
			"command: [java, '-XX:MaxRAMFraction=1', -version]" + limit1G,
			[]memory.Ask{{Kind: memory.Heap, Bytes: gibi, Percent: 100, Text: "-XX:MaxRAMFraction=1", Flag: "-XX:MaxRAMFraction", Path: at + ".command[1]"}},
		},
		"the memory of the machine": {"command: [java, '-XX:MaxRAM=8g', -version]", []memory.Ask{heap(2*gibi, "-XX:MaxRAM=8g", "-XX:MaxRAM", "", at+".command[1]")}},
		"stress": {
			`command: [stress, --vm, "2", --vm-bytes, 150M, --vm-hang, "1"]`,
			[]memory.Ask{{Kind: memory.Workers, Bytes: 300 * mebi, Text: "stress --vm 2 --vm-bytes 150M", Flag: "--vm-bytes", Path: at + ".command[4]", Taken: true}},
		},
		"stress, 256M each by default": {
			"command: [stress]\n  args: [-m, '3']",
			[]memory.Ask{{Kind: memory.Workers, Bytes: 768 * mebi, Text: "stress -m 3", Flag: "--vm-bytes", Path: at + ".command[0]", Taken: true}},
		},
		"stress that touches few pages": {`command: [stress, --vm, "1", --vm-bytes, 1G, --vm-stride, 1M]`, nil},
		"stress without memory":         {`command: [stress, --cpu, "2"]`, nil},
		"stress with another unit":      {`command: [stress, --vm, "1", --vm-bytes, 80%]`, nil},
		"the workers of stress-ng share": {
			`command: [stress-ng, --vm, "2", --vm-bytes, 1g]`,
			[]memory.Ask{{Kind: memory.Workers, Bytes: gibi, Text: "stress-ng --vm 2 --vm-bytes 1g", Flag: "--vm-bytes", Path: at + ".command[4]", Taken: true}},
		},
		"options with their value": {
			`command: [stress-ng, --vm=2, --vm-bytes=1g]`,
			[]memory.Ask{{Kind: memory.Workers, Bytes: gibi, Text: "stress-ng --vm 2 --vm-bytes 1g", Flag: "--vm-bytes", Path: at + ".command[2]", Taken: true}},
		},
		"node": {
			"command: [node, --max_old_space_size=512, a.js]\n  env: [{name: NODE_OPTIONS, value: --max-old-space-size=1024}]",
			[]memory.Ask{{Kind: memory.OldSpace, Bytes: 512 * mebi, Text: "--max_old_space_size=512", Flag: "--max_old_space_size", Path: at + ".command[1]"}},
		},
		"an argument of the script": {`command: [node, a.js, --max-old-space-size=512]`, nil},
		"NODE_OPTIONS": {
			"command: [npm, start]\n  env: [{name: NODE_OPTIONS, value: '--max-old-space-size=1024'}]",
			[]memory.Ask{assumed(memory.Ask{Kind: memory.OldSpace, Bytes: gibi, Text: "--max-old-space-size=1024 in NODE_OPTIONS", Flag: "--max-old-space-size", Variable: "NODE_OPTIONS", Path: env})},
		},
		"redis": {
			`args: [redis-server, --maxmemory, 6gb, --save, ""]`,
			[]memory.Ask{{Kind: memory.Data, Bytes: 6 * gibi, Text: "--maxmemory 6gb", Flag: "--maxmemory", Path: at + ".args[2]"}},
		},
		"an image that puts redis-server before options": {
			"image: docker.io/library/redis:7\n  args: [--maxmemory, 6gb]",
			[]memory.Ask{{Kind: memory.Data, Bytes: 6 * gibi, Text: "--maxmemory 6gb", Flag: "--maxmemory", Path: at + ".args[1]"}},
		},
		"an image of another name": {"image: shop/my-redis:7\n  args: [--maxmemory, 6gb]", nil},
		"an image whose entrypoint is stress": {
			"image: progrium/stress\n  args: [--vm, '1', --vm-bytes, 15M]",
			[]memory.Ask{{Kind: memory.Workers, Bytes: 15 * mebi, Text: "stress --vm 1 --vm-bytes 15M", Flag: "--vm-bytes", Path: at + ".args[3]", Taken: true}},
		},
		"options before -jar are those of java": {`args: [-Xmx2g, -jar, a.jar]`, []memory.Ask{heap(2*gibi, "-Xmx2g", "-Xmx", "", at+".args[0]")}},
		"options alone may stand behind -jar":   {`args: [-Xmx2g]`, nil},
		"GOMEMLIMIT": {
			"env: [{name: GOMEMLIMIT, value: 512MiB}]",
			[]memory.Ask{assumed(memory.Ask{Kind: memory.GoLimit, Bytes: 512 * mebi, Text: "GOMEMLIMIT=512MiB", Flag: "GOMEMLIMIT", Variable: "GOMEMLIMIT", Path: env})},
		},
		"numbers that nobody has": {`command: [java, -Xmx99999999999999999999g, -version]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := factsOf(view(t, withoutImage(podOf(tt.container))), alone(), known(t))
			if diff := cmp.Diff(tt.want, f.Containers[0].Memory.Demand.Asks); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A variable counts where it is read, and is assumed to be where nothing speaks against it.
func TestWhoReads(t *testing.T) {
	const (
		java = "JAVA_TOOL_OPTIONS: -Xmx2g"
		opts = "JAVA_OPTS: -Xmx3g"
		node = "NODE_OPTIONS: --max-old-space-size=4096"
		goes = "GOMEMLIMIT: 4GiB"
		jdk  = "JDK_JAVA_OPTIONS: -Xmx4g"
	)
	for name, tt := range map[string]struct {
		container string
		env       []string
		want      string
	}{
		"nginx":                            {"image: nginx:1.29", []string{java, opts, node, goes}, ""},
		"nginx, wherever it is":            {"image: registry.example.com/base/nginx:1.29", []string{java, opts, node, goes}, ""},
		"nginx by its command":             {"command: [nginx, -g, 'daemon off;']", []string{java, opts, node, goes}, ""},
		"an exporter is written in Go":     {"image: danielqsj/kafka-exporter:v1.8.0", []string{java, node, goes}, "GOMEMLIMIT=4GiB assumed"},
		"but not this one":                 {"image: prom/cloudwatch-exporter:0.15", []string{java}, "-Xmx2g in JAVA_TOOL_OPTIONS assumed"},
		"java does not read the others":    {"command: [java, -version]", []string{java, opts, node, goes}, "-Xmx2g in JAVA_TOOL_OPTIONS"},
		"the launcher of Java 9 and later": {"command: [java, -version]", []string{java, jdk}, "-Xmx4g in JDK_JAVA_OPTIONS assumed"},
		"java -jar as entrypoint":          {"image: gcr.io/distroless/java21-debian12\n  args: [/a.jar]", []string{opts}, ""},
		"node does not read the others":    {"command: [node, a.js]", []string{java, node, goes}, "--max-old-space-size=4096 in NODE_OPTIONS"},
		"nor npm":                          {"command: [npm, start]", []string{java, node}, "--max-old-space-size=4096 in NODE_OPTIONS assumed"},
		"Elasticsearch":                    {"image: docker.elastic.co/elasticsearch/elasticsearch:8.15.0", []string{java, opts}, ""},
		"Elasticsearch and its own":        {"image: elasticsearch:8.15.0", []string{opts, "ES_JAVA_OPTS: -Xmx1g"}, "-Xmx1g in ES_JAVA_OPTS"},
		"Tomcat as it is":                  {"image: tomcat:11", []string{"CATALINA_OPTS: -Xmx1g", java, opts}, "-Xmx1g in CATALINA_OPTS"},
		"Tomcat with more from elsewhere":  {"image: tomcat:11\n  envFrom: [{configMapRef: {name: a}}]", []string{java}, "-Xmx2g in JAVA_TOOL_OPTIONS assumed"},
		"Tomcat with a mounted script":     {"image: tomcat:11\n  volumeMounts: [{name: a, mountPath: /usr/local/tomcat/bin/setenv.sh}]", []string{opts}, "-Xmx3g in JAVA_OPTS assumed"},
		"an image without a JVM":           {"image: busybox:1.37\n  command: [/scripts/wait]", []string{java, node}, ""},
		"another command":                  {"image: tomcat:11\n  command: [/start]", []string{java}, "-Xmx2g in JAVA_TOOL_OPTIONS assumed"},
		"the least of what may be read":    {"image: shop/api:1", []string{opts, java}, "-Xmx2g in JAVA_TOOL_OPTIONS assumed"},
	} {
		t.Run(name, func(t *testing.T) {
			container := tt.container + "\n  env:"
			for _, v := range tt.env {
				name, value, _ := strings.Cut(v, ": ")
				container += "\n  - {name: " + name + ", value: '" + value + "'}"
			}
			var got []string
			for _, ask := range factsOf(view(t, withoutImage(podOf(container))), alone(), known(t)).Containers[0].Memory.Demand.Asks {
				if text := ask.Text; ask.Assumed {
					got = append(got, text+" assumed")
				} else {
					got = append(got, text)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A value that is not at hand may be the one that counts.
func TestVariableNotAtHand(t *testing.T) {
	const elsewhere = "{name: JAVA_OPTS, valueFrom: {configMapKeyRef: {name: a, key: b}}}"
	for _, image := range []string{"tomcat:11", "shop/api:1"} {
		container := "image: " + image + "\n  env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx2g}, " + elsewhere + "]"
		f := factsOf(view(t, withoutImage(podOf(container))), alone(), known(t))
		if asks := f.Containers[0].Memory.Demand.Asks; len(asks) > 0 {
			t.Errorf("%s: %+v", image, asks)
		}
	}
}

// Rules are asked only where a demand comes near the limit in force.
func TestDemandNear(t *testing.T) {
	for name, tt := range map[string]struct {
		container string
		want      string
	}{
		"no limit":              {`command: [java, -Xmx2g, -version]`, "absent"},
		"half of the limit":     {"command: [java, -Xmx512m, -version]" + limit1G, "absent"},
		"more than half":        {"command: [java, -Xmx513m, -version]" + limit1G, "present"},
		"nothing that is asked": {"command: [java, -version]" + limit1G, "absent"},
		"a share of that limit": {"command: [java, '-XX:MaxRAMPercentage=75', -version]" + limit1G, "present"},
		"more than the limit":   {"command: [java, -Xmx2g, -version]" + limit1G, "present"},
	} {
		t.Run(name, func(t *testing.T) {
			f := factsOf(view(t, podOf(tt.container)), alone(), known(t))
			if got := string(f.Containers[0].Memory.Demand.Near.State); got != tt.want {
				t.Errorf("near is %s, want %s", got, tt.want)
			}
		})
	}
}
