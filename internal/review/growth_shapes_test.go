package review_test

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/review"
)

// shape is objects of one form in all sizes.
type shape struct {
	name   string
	sizes  []int
	object func(n int) string
	// services are objects of the cluster.
	services func(n int) []string
	// objects are those of the cluster that are no Services.
	objects func(n int) []string
	// repaired says that the repairs are proved, too.
	repaired bool
	// service says that the object is a Service, or another one which only an audit judges.
	service bool
	// repeated are the fields that stand twice in its text.
	repeated func(n int) []facts.RepeatedField
}

func (s shape) operation() review.Operation {
	if s.service {
		return review.Audit
	}
	return review.Create
}

// cluster is what else exists.
func (s shape) cluster(n int) []string {
	var all []string
	for _, of := range []func(int) []string{s.services, s.objects} {
		if of != nil {
			all = append(all, of(n)...)
		}
	}
	return all
}

// Fields cost little, containers much: each is judged by many rules. An object with more than 2,000 of them is not
// decoded; facts and rules are held beyond that by one shape in which most containers fail in several ways.
func fields() []int     { return []int{1, 10, 100, 1000, 10_000} }
func containers() []int { return []int{2, 20, 200, 2000} }

func shapes() []shape {
	each := func(item string) func(int) string {
		return func(n int) string { return podOf(listed(n, numbered(item))) }
	}
	within := func(before, item, after string) func(int) string {
		return func(n int) string { return podOf(before + listed(n, numbered(item)) + after) }
	}
	spec := func(list, item, rest string) func(int) string {
		return func(n int) string {
			return `{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"a"}},"spec":{"` + list + `":[` + listed(n, numbered(item)) + `],` + rest + `}}`
		}
	}
	script := func(piece string) func(int) string {
		return func(n int) string {
			return podOf(`{"name":"c","command":["sh","-c","` + strings.Repeat(piece, n) + `"]}`)
		}
	}
	const probes = `"readinessProbe":{"tcpSocket":{"port":1%d}},"livenessProbe":{"httpGet":{"port":2%d},"periodSeconds":1}`
	return []shape{
		{name: "containers that say nothing", sizes: containers(), object: each(`{"name":"c%d"}`)},
		{name: "10,000 containers", sizes: fields(), object: each(`{"name":"c%d","image":"Web:1","command":["sleep %d"],"readinessProbe":{"tcpSocket":{"port":1%d}},"resources":{"limits":{"cpu":"900"}}}`)},
		{name: "containers without a limit, repaired", sizes: containers(), object: each(`{"name":"c%d"}`), repaired: true},
		{name: "containers that end", sizes: containers(), object: each(`{"name":"c%d","image":"Web","command":["sleep %d"],"args":["a"],"resources":{"limits":{"memory":"9","cpu":"900"}}}`)},
		{name: "containers with probes", sizes: containers(), object: each(`{"name":"c%d","image":"web","command":["sleep","infinity"],` + probes + `}`)},
		{name: "containers with ports of others", sizes: containers(), object: each(`{"name":"c%d","ports":[{"name":"p%d","containerPort":%d}],"readinessProbe":{"httpGet":{"port":"q"}},"startupProbe":{"httpGet":{"port":"p1"}}}`)},
		{name: "containers with values from elsewhere", sizes: containers(), object: each(`{"name":"c%d","env":[{"name":"PORT","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],` + probes + `}`)},
		{name: "containers with volumes", sizes: containers(), object: func(n int) string {
			volumes := listed(n, numbered(`{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`))
			return spec("containers", `{"name":"c%d","volumeMounts":[{"name":"v%d","mountPath":"/a"}],"resources":{"limits":{"memory":"1%dMi"}}}`, `"volumes":[`+volumes+`]`)(n)
		}},
		{name: "init containers that never end", sizes: containers(), object: spec("initContainers", `{"name":"c%d","command":["sleep","infinity"]}`, `"containers":[{"name":"a"}]`)},
		{name: "sidecars", sizes: containers(), object: spec("initContainers", `{"name":"c%d","restartPolicy":"Always","startupProbe":{"httpGet":{"port":"q"}}}`, `"containers":[{"name":"a"}]`)},
		{name: "containers and Services", sizes: containers(), object: each(`{"name":"c%d","command":["sleep","infinity"],` + probes + `}`), services: services},
		{name: "gates and the ports of Services", sizes: containers(), services: servicesOfPorts, object: each(gate)},
		{name: "Services", sizes: fields(), object: func(int) string { return podOf(`{"name":"c","readinessProbe":{"httpGet":{"port":"q"}}}`) }, services: services},
		{name: "ports of a Service", sizes: fields(), services: servicePorts, object: func(int) string {
			return podOf(`{"name":"a","readinessProbe":{"tcpSocket":{"port":1}}},{"name":"b","ports":[{"containerPort":80}]}`)
		}},
		{name: "ports", sizes: fields(), object: within(`{"name":"c","readinessProbe":{"httpGet":{"port":"q"}},"ports":[`, `{"name":"p%d","containerPort":%d}`, `]}`)},
		{name: "variables", sizes: fields(), object: within(`{"name":"c","command":["java"],"env":[`, `{"name":"V%d","value":"$(V1) 8080 -Xmx1g"}`, `]}`)},
		{name: "variables from elsewhere", sizes: fields(), object: within(`{"name":"c","livenessProbe":{"tcpSocket":{"port":1}},"env":[`, `{"name":"PORT%d","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}`, `]}`)},
		{name: "mounts", sizes: fields(), object: within(`{"name":"c","command":["nginx"],"volumeMounts":[`, `{"name":"v","mountPath":"/a%d"}`, `]}`)},
		{name: "volumes in memory", sizes: fields(), object: spec("volumes", `{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`, `"containers":[{"name":"c","resources":{"limits":{"memory":"1Mi"}},"volumeMounts":[{"name":"v1","mountPath":"/a"}]}]`)},
		{name: "words", sizes: []int{4, 40, 400, 4000}, object: within(`{"name":"c","command":["stress",`, `"--port=%d","--vm"`, `]}`)},
		{name: "words of a command", sizes: fields(), object: within(`{"name":"c","command":["sleep `, `1 -a $V%d`, `"]}`)},
		{name: "variables of a shell", sizes: fields(), object: within(`{"name":"c","command":["curl","`, ` $V%d`, `"]}`)},
		{name: "statements", sizes: fields(), object: script("a;")},
		{name: "words of a script", sizes: fields(), object: script("a ")},
		{name: "sleeps of a script", sizes: []int{3, 30, 300, 3000}, object: script("sleep 1;")},
		{name: "a long word", sizes: []int{1000, 10_000, 100_000, 1_000_000}, object: within(`{"name":"c","args":["`, `a`, `"]}`)},
		{name: "containers beside ports", sizes: []int{10, 100, 1000}, object: func(n int) string {
			return podOf(`{"name":"h","ports":[` + listed(10*n, numbered(`{"name":"p%d","containerPort":%d}`)) + `]},` +
				listed(n, numbered(`{"name":"c%d","readinessProbe":{"httpGet":{"port":"q%d"}},"livenessProbe":{"tcpSocket":{"port":"p%d"}}}`)))
		}},
		{name: "containers beside volumes", sizes: []int{10, 100, 1000}, object: func(n int) string {
			volumes := listed(10*n, numbered(`{"name":"v%d","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}`))
			return spec("containers", `{"name":"c%d","volumeMounts":[{"name":"v%d","mountPath":"/a"},{"name":"v1","mountPath":"/b"}],"resources":{"limits":{"memory":"1Mi"}}}`, `"volumes":[`+volumes+`]`)(n)
		}},
		{name: "labels and Services", sizes: fields(), services: services, object: func(n int) string {
			return strings.Replace(podOf(`{"name":"a","readinessProbe":{"tcpSocket":{"port":1}}},{"name":"b"}`), `"app":"a"`, `"app":"a",`+listed(n, numbered(`"l%d":"v"`)), 1)
		}},
		{name: "a selector that selects nothing", service: true, sizes: fields(), objects: pods(`"a":"a"`), object: func(n int) string {
			return serviceOf(0, `{"port":80}`, listed(n, numbered(`"l%d":"v"`))+`,"a":"b"`)
		}},
		{name: "a selector with the labels of all pods", service: true, sizes: []int{1, 10, 100}, object: func(n int) string {
			return serviceOf(0, `{"port":80}`, listed(10*n, numbered(`"l%d":"v"`))+`,"a":"b"`)
		}, objects: func(n int) []string { return pods(`"a":"a",` + listed(100, numbered(`"l%d":"v"`)))(n) }},
		{name: "a Service of all pods", service: true, sizes: []int{10, 100, 1000}, objects: pods(`"app":"a"`), object: func(int) string {
			return serviceOf(0, `{"port":80,"targetPort":"q"}`, `"app":"a"`)
		}},
		{name: "ports that lead nowhere", service: true, sizes: fields(), object: func(n int) string {
			return serviceOf(0, listed(n, numbered(`{"name":"p%d","port":%d,"targetPort":"q%d"}`)), `"app":"a"`)
		}, objects: func(n int) []string {
			return []string{podOf(`{"name":"a","image":"a","ports":[` + listed(n, numbered(`{"name":"p%d","containerPort":%d}`)) + `]}`)}
		}},
		{name: "fields that nobody knows", service: true, sizes: fields(), object: func(n int) string {
			return podOf(`{"name":"a","image":"a","comand":[],` + listed(n, numbered(`"x%d":1`)) + `}`)
		}},
		{name: "fields that stand twice", service: true, sizes: []int{1, 10, 100}, object: func(n int) string {
			return podOf(`{"name":"a","image":"a","args":[` + listed(n, numbered(`"a%d"`)) + `]}`)
		}, repeated: func(n int) []facts.RepeatedField {
			var all []facts.RepeatedField
			for i := range n {
				all = append(all, facts.RepeatedField{Path: fmt.Sprintf("spec.x%d", i), First: i, Last: n})
			}
			return all
		}},
		{name: "an object of a version that was removed", service: true, sizes: fields(), object: func(n int) string {
			return `{"apiVersion":"extensions/v1beta1","kind":"Deployment","spec":{"template":{"metadata":{"labels":{` +
				listed(n, numbered(`"l%d":"v"`)) + `}},"spec":{"containers":[{"name":"a","image":"a"}]}}}}`
		}},
		{name: "triggers of images", sizes: []int{10, 100, 1000}, object: func(n int) string {
			triggers := listed(n, numbered(`{\"from\":{\"kind\":\"ImageStreamTag\",\"name\":\"a\"},\"fieldPath\":\"spec.containers[%d].image\"}`))
			return strings.Replace(podOf(listed(n, numbered(`{"name":"c%d","image":"A"}`))), `"metadata":{`, `"metadata":{"annotations":{"image.openshift.io/triggers":"[`+triggers+`]"},`, 1)
		}},
		{name: "a probe's command", sizes: []int{10, 100, 1000}, object: within(`{"name":"c","ports":[{"containerPort":1}],"livenessProbe":{"exec":{"command":["sh","-c","`, `localhost:1%d `, `"]}}}`)},
	}
}

// numbered writes the number of an item in the place of %d.
func numbered(item string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(item, "%d", fmt.Sprint(i)) }
}

// services are n Services that send to the pod.
func services(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s%d"},"spec":{"selector":{"app":"a"},"ports":[{"port":80}]}}`, i)
	}
	return all
}

// servicePorts is one Service with n ports.
func servicePorts(n int) []string {
	return []string{`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"selector":{"app":"a"},"ports":[` +
		listed(n, numbered(`{"name":"p%d","port":%d,"targetPort":%d}`)) + `]}}`}
}

// gate is a container with a readiness probe, to which no Service sends: but for the first, c0.
const gate = `{"name":"c%d","ports":[{"containerPort":5%d,"name":"p%d"}],"readinessProbe":{"tcpSocket":{"port":5%d}}}`

// servicesOfPorts are n Services of many ports, among them one of the container c0.
func servicesOfPorts(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = serviceOf(i, `{"name":"q","port":1,"targetPort":"p0"},`+listed(50, numbered(`{"name":"p%d","port":2%d}`)), `"app":"a"`)
	}
	return all
}

func serviceOf(i int, ports, selector string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s%d"},"spec":{"selector":{%s},"ports":[%s]}}`, i, selector, ports)
}

// pods are n Pods with these labels, and one of their own each.
func pods(labels string) func(n int) []string {
	return func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","labels":{%s,"own":"%d"}},"spec":{"containers":[{"name":"a","image":"a","ports":[{"name":"p","containerPort":80}]}]}}`, i, labels, i)
		}
		return all
	}
}
