package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// known is an object that took long for its bytes, or its steps, when it was found.
type known struct {
	name   string
	way    way
	world  int // which Services there are, see newBench
	object func() string
	// unfinished says that the steps do not suffice.
	unfinished bool
}

// slowest are the ten slowest objects that a search or a person has found, and three that spend what they may before their
// rules are asked.
func slowest() []known {
	const limits = `"resources":{"limits":{"memory":"64Mi"}}`
	fiveWays := func() string {
		return podOf(listed(2000, `{"name":"c%d","image":"Web%d","command":["sleep %d"],"ports":[{"containerPort":1%d,"name":"p%d"}],`+
			`"readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":3%d},"periodSeconds":1},`+limits+`}`))
	}
	return []known{
		{name: "2,000 containers that fail in five ways, changed", way: update, object: fiveWays, unfinished: true},
		{name: "2,000 containers that fail in five ways", way: validate, object: fiveWays},
		{name: "2,000 hasty probes that ask ports of others", way: mutate, object: func() string {
			return podOf(listed(2000, `{"name":"c%d","readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":2%d},"periodSeconds":1}}`))
		}},
		{name: "500 init containers and 1,000 containers of one name", way: mutate, object: func() string {
			return podOf(listed(1000, `{"name":"a"}`) + `],"initContainers":[` + listed(500, `{"name":"i%d","command":["sleep","infinity"]}`))
		}},
		{name: "25,000 ports beside 1,000 probes", way: mutate, object: func() string {
			return podOf(listed(1000, `{"name":"c%d","readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":2%d},"periodSeconds":1}}`) +
				`,{"name":"h","ports":[` + listed(25_000, `{"name":"p%d","containerPort":%d}`) + `]}`)
		}},
		{name: "2,000 containers without a name", way: propose, object: func() string { return podOf(listed(2000, `{"image":"a:1"}`)) }},
		{name: "20,000 volumes beside 1,000 probes", way: mutate, object: func() string {
			return podOf(listed(1000, `{"name":"c%d","readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":2%d},"periodSeconds":1}}`) +
				`],"volumes":[` + listed(20_000, `{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`))
		}},
		{name: "2,000 starts slower than the progress deadline, changed", way: update, object: func() string {
			return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"selector":{},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[` +
				listed(2000, `{"name":"c%d","image":"a:1","startupProbe":{"failureThreshold":1000,"httpGet":{"port":80}},"livenessProbe":{"httpGet":{"port":-1}}}`) + `]}}}}`
		}},
		{name: "2,000 sidecars of unknown ports", way: mutate, object: func() string {
			return podOf(`{"name":"a"}],"initContainers":[` + listed(2000, `{"name":"i%d","restartPolicy":"Always","ports":[{"name":"p%d","containerPort":%d}],"startupProbe":{"httpGet":{"port":"x"}}}`))
		}},
		{name: "40 quantities of 55 digits in 1,000 containers", way: mutate, object: func() string {
			return podOf(listed(1000, `{"name":"c%d","resources":{"limits":{`+listed(40, `"a%d":"0.`+strings.Repeat("0", 53)+`9"`)+`}}}`))
		}},
		{name: "750 scripts of 2,000 expressions within each other", way: validate, unfinished: true, object: func() string {
			return podOf(listed(750, `{"name":"c%d","command":["bash","-c","#%d\necho `+strings.Repeat("$[", 2000)+`"]}`))
		}},
		{name: "1,000 containers whose variables double", way: validate, unfinished: true, object: func() string {
			return podOf(listed(1000, `{"name":"c%d","command":["java","-Xmx1g","$(C)"],`+limits+`,"env":[{"name":"A","value":"`+strings.Repeat("a", 256)+`"},`+
				`{"name":"B","value":"`+strings.Repeat("$(A)", 32)+`"},{"name":"C","value":"`+strings.Repeat("$(B)", 16)+`"}]}`))
		}},
		{name: "2,000 functions that call functions", way: validate, unfinished: true, object: func() string {
			functions := "f0() { a; };"
			for i := range 7 {
				functions += fmt.Sprintf("f%d() { %s };", i+1, strings.Repeat(fmt.Sprintf("f%d; ", i), 5))
			}
			return podOf(listed(2000, `{"name":"c%d","command":["sh","-c","`+functions+`f7"]}`))
		}},
	}
}

// listed writes an item n times, with its number in the place of %d.
func listed(n int, item string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.ReplaceAll(item, "%d", fmt.Sprint(i))
	}
	return strings.Join(items, ",")
}

func podOf(containers string) string {
	return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"a"}},"spec":{"containers":[` + containers + `]}}`
}

// measureKnown gives an object. What it was before an update had other images.
func (b *bench) measureKnown(ctx context.Context, k known, tries int) (cost, error) {
	raw, old := []byte(k.object()), []byte(nil)
	if k.way == update {
		old = []byte(strings.ReplaceAll(string(raw), `"image":"`, `"image":"old/`))
	}
	return b.measure(ctx, k.way, k.world, raw, old, tries)
}

// table prints what the slowest objects take, the best of three tries.
func (b *bench) table(ctx context.Context, to io.Writer) error {
	fmt.Fprintln(to, "| object | given to | bytes | steps | CPU ms | ns/byte | ns/step | within the steps |\n|---|---|---|---|---|---|---|---|")
	for _, k := range slowest() {
		c, err := b.measureKnown(ctx, k, 3)
		if err != nil {
			return err
		}
		within := "yes"
		if c.unfinished {
			within = "no"
		}
		fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %.0f | %.0f | %s |\n", k.name, k.way, c.bytes, c.steps, c.cpu.Milliseconds(), c.perByte(), c.perStep(), within)
	}
	return nil
}
