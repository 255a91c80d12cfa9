package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

type object = map[string]any

// names are those that pieces of an object call each other by.
func (g *grammar) name() string {
	return pick(g, "a", "b", "c", "http", "web", "v", "p", fmt.Sprint("n", g.IntN(50)))
}

func (g *grammar) port() any {
	return pick[any](g, 80, 8080, 1, 65535, 0, -1, g.IntN(70_000), g.name(), fmt.Sprint(g.IntN(70_000)), g.noise())
}

func (g *grammar) quantity() any {
	return pick[any](g, "64Mi", "1Gi", "100m", "128m", "1", "0", "9", "1e3", "900", 1, 0.5,
		"1e"+strings.Repeat("9", 1+g.IntN(6)), strings.Repeat("9", 1+g.IntN(200)), "0."+strings.Repeat("0", g.IntN(200))+"1", "1"+strings.Repeat("0", g.IntN(60))+"n", "-1", "1Ei", "+1E6", g.noise())
}

func (g *grammar) image() string {
	return pick(g, "", "https://", "registry.example.com:5000/", "a/", "/", "${A}/", "Localhost/", "a.b/c/d/", "[::1]:80/", g.noise()) +
		pick(g, "nginx", "busybox", "alpine", "Web", "redis", "a__b", "postgres", pick(g, g.known...), g.noise()) +
		pick(g, "", ":1", ":latest", ":", "@sha256:"+strings.Repeat("a", 64), "@a:b", ":"+g.noise(), "@"+g.noise(), ":{{ tag }}")
}

func (g *grammar) handler() object {
	h := object{}
	switch g.IntN(4) {
	case 0:
		h["exec"] = object{"command": g.fresh("command")}
	case 1:
		h["tcpSocket"] = object{"port": g.port()}
	case 2:
		h["grpc"] = object{"port": g.IntN(70_000), "service": g.word()}
	default:
		h["httpGet"] = object{"port": g.port(), "path": "/" + g.word()}
	}
	return h
}

func (g *grammar) probe() any {
	p := g.handler()
	for _, field := range []string{"periodSeconds", "failureThreshold", "timeoutSeconds", "initialDelaySeconds", "successThreshold"} {
		if g.chance(30) {
			p[field] = pick(g, 0, 1, 2, 10, 1000, 2147483647, -1)
		}
	}
	return p
}

func (g *grammar) resources() any {
	r := object{}
	for _, list := range []string{"limits", "requests"} {
		r[list] = object{pick(g, "memory", "cpu", "ephemeral-storage", "a.b/c", g.noise()): g.quantity(), "memory": g.quantity()}
	}
	return r
}

// fields are what a container or the like has, and how to make each.
func (g *grammar) containerFields() []string {
	return []string{
		"image", "imagePullPolicy", "command", "args", "env", "envFrom", "ports", "volumeMounts", "resources", "restartPolicy", "stdin",
		"livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "workingDir", "securityContext",
	}
}

func (g *grammar) container() any {
	c := object{"name": g.name()}
	fields := g.containerFields()
	for range g.IntN(7) {
		f := pick(g, fields...)
		c[f] = g.fresh(f)
	}
	return c
}

func list(g *grammar, n int, one func() any) any { return some(g, n, one) }

// fresh makes a value for a field, by its name alone; nil where the field is not known.
func (g *grammar) fresh(field string) any {
	if maker, ok := g.makers()[field]; ok {
		return maker()
	}
	return nil
}

func (g *grammar) makers() map[string]func() any {
	containers := func() any { return list(g, 4, g.container) }
	words := func() any { return list(g, 6, func() any { return g.word() }) }
	labels := func() any { return object{"app": "a", g.name(): g.word()} }
	return map[string]func() any{
		"containers": containers, "initContainers": containers, "ephemeralContainers": containers,
		"image": func() any { return g.image() }, "args": words,
		"command": func() any {
			if g.chance(50) {
				return []any{pick(g, "sh", "bash", "/bin/sh", "ash", "dash"), pick(g, "-c", "-ec", "-xc", "-lc"), g.script(1 + g.IntN(6))}
			}
			return words()
		},
		"env": func() any {
			return list(g, 6, func() any {
				v := object{"name": pick(g, "A", "PORT", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", g.name(), pick(g, g.known...)), "value": g.word() + g.word()}
				if g.chance(20) {
					delete(v, "value")
					v["valueFrom"] = object{"secretKeyRef": object{"name": "a", "key": "b"}}
				}
				return v
			})
		},
		"envFrom": func() any { return []any{object{"configMapRef": object{"name": "a"}}} },
		"ports": func() any {
			return list(g, 6, func() any {
				return object{"name": g.name(), "containerPort": pick(g, 80, 8080, g.IntN(70_000)), "protocol": pick(g, "TCP", "UDP", "")}
			})
		},
		"volumeMounts": func() any {
			return list(g, 6, func() any { return object{"name": g.name(), "mountPath": "/" + g.word(), "subPathExpr": g.word()} })
		},
		"volumes": func() any {
			return list(g, 6, func() any {
				return object{"name": g.name(), "emptyDir": object{"medium": pick(g, "Memory", ""), "sizeLimit": g.quantity()}}
			})
		},
		"resources": g.resources, "livenessProbe": g.probe, "readinessProbe": g.probe, "startupProbe": g.probe,
		"lifecycle":       func() any { return object{"postStart": g.handler(), "preStop": g.handler()} },
		"restartPolicy":   func() any { return pick(g, "Always", "Never", "OnFailure") },
		"imagePullPolicy": func() any { return pick(g, "Always", "Never", "IfNotPresent", "a") },
		"stdin":           func() any { return true },
		"workingDir":      func() any { return g.word() },
		"securityContext": func() any { return object{"runAsUser": g.IntN(9), "capabilities": object{"add": words()}} },
		"labels":          labels, "matchLabels": labels, "nodeSelector": labels,
		"annotations": func() any {
			return object{"image.openshift.io/triggers": `[{"from":{"kind":"ImageStreamTag","name":"a:1"},"fieldPath":"spec.template.spec.containers[?(@.name==\"a\")].image"},` + strings.Repeat(`[`, g.IntN(50)) + `]`, g.name(): g.noise()}
		},
		"activeDeadlineSeconds": func() any { return g.IntN(1000) },
		"tolerations":           func() any { return list(g, 5, func() any { return object{"key": g.word()} }) },
		"overhead":              func() any { return object{"memory": g.quantity()} },
		"new":                   func() any { return g.tree(8) },
	}
}

// tree is a value that no type knows.
func (g *grammar) tree(depth int) any {
	switch {
	case depth == 0:
		return g.word()
	case g.chance(50):
		return list(g, 3, func() any { return g.tree(depth - 1) })
	}
	return object{g.name(): g.tree(depth - 1), g.word(): g.IntN(9)}
}

func (g *grammar) podSpec() object {
	spec := object{"containers": g.fresh("containers")}
	for range g.IntN(5) {
		f := pick(g, "initContainers", "volumes", "restartPolicy", "activeDeadlineSeconds", "tolerations", "overhead", "nodeSelector", "new", "ephemeralContainers")
		spec[f] = g.fresh(f)
	}
	return spec
}

// manifest is an object of one of the kinds that are judged.
func (g *grammar) manifest() object {
	meta := object{"name": "a", "labels": object{"app": "a"}}
	if g.chance(20) {
		meta["annotations"] = g.fresh("annotations")
	}
	pod := object{"metadata": meta, "spec": g.podSpec()}
	kinds := []struct{ kind, version string }{{"Pod", "v1"}, {"Pod", "v1"}, {"Deployment", "apps/v1"}, {"StatefulSet", "apps/v1"}, {"Job", "batch/v1"}, {"CronJob", "batch/v1"}}
	k := pick(g, kinds...)
	o := object{"apiVersion": k.version, "kind": k.kind, "metadata": maps.Clone(meta)}
	switch k.kind {
	case "Pod":
		o["spec"] = pod["spec"]
	case "CronJob":
		o["spec"] = object{"schedule": "* * * * *", "jobTemplate": object{"spec": object{"template": pod}}}
	case "Job":
		o["spec"] = object{"template": pod, "completions": 5}
	default:
		o["spec"] = object{"template": pod, "replicas": 2, "progressDeadlineSeconds": 30, "selector": object{"matchLabels": object{"app": "a"}}}
	}
	return o
}

// fieldNames are those that fresh knows, sorted.
func (g *grammar) fieldNames() []string { return slices.Sorted(maps.Keys(g.makers())) }
