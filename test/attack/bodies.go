package main

import (
	"strconv"
	"strings"
)

// heaviest are objects in the shapes that become most of in memory, or take most time
// for their size: nearly 3 MiB each, the most that an API server accepts, or just light enough to be judged.
func heaviest() []string {
	const size = 3<<20 - 4<<10
	many := func(item string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-len(item)-8; i++ {
			b.WriteString("," + strings.ReplaceAll(item, "%d", strconv.Itoa(i)))
		}
		return b.String()[1:]
	}
	web := func(fields string) string {
		return `{"name":"web","image":"registry.example.com/web:1",` + fields + `}`
	}
	const busy = `{"name":"c%d","image":"Web%d","command":["sleep %d"],"ports":[{"containerPort":1%d,"name":"p%d"}],` +
		`"readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":3%d}}}`
	var all []string
	for _, containers := range []string{
		web(`"env":[{"name":"A","value":"` + strings.Repeat("x", size) + `"}]`),
		web(`"args":[` + many(`"--a=%d"`) + `]`),
		web(`"env":[` + many(`{"name":"A%d","value":"$(B)"}`) + `]`),
		web(`"ports":[` + many(`{"containerPort":8080,"name":"p%d"}`) + `]`),
		many(`{"name":"c%d","image":"web:1","command":["sleep 1000"],"env":[{"name":"A","value":"` + strings.Repeat("x", 16<<10) + `"}]}`),
		many(`{"name":"c%d","image":"web:1","command":["sleep 1000"],"readinessProbe":{"httpGet":{"port":"q"}}}`),
		many(`{"name":"c%d"}`),
		many(`{}`),
		many(`null`),
		`{"name":"web"}],"initContainers":[` + many(`{"name":"c%d"}`),
		`{"name":"web"}],"volumes":[` + many(`{}`),
		web(`"volumeMounts":[` + many(`{}`) + `]`),
		web(`"new":[` + many(`{}`) + `]`),
		repeated(2000, busy),
		repeated(20_000, `{}`),
		repeated(2000, `null`),
		repeated(380, `{"name":"web","image":"registry.example.com/web:1","command":["sleep 1000"]}`),
	} {
		all = append(all, ofContainers(containers))
	}
	return all
}
