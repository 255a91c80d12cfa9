package forestall.lib.ports_test

import data.forestall.lib.ports

test_declared if {
	ports.declared({"ports": {"state": "absent"}}) == "declares no ports"
	ports.declared({"ports": {"state": "present", "declared": [
		{"number": 80, "name": "http"},
		{"number": 90},
	]}}) == "declares \"http\" (80), 90 (without a name)"
}

test_name_fix if {
	container := {"name": "web", "path": "c", "ports": {"state": "absent"}}
	fix := ports.name_fix(container, "http") with input as {"containers": [container]}
	fix == "write the number in the probe, or declare it: ports: [{name: http, containerPort: <number>}]."
}

# One of the others is named, the first: two answers at once would be none.
test_name_fix_of_others if {
	container := {"name": "web", "path": "c", "ports": {"state": "absent"}}
	others := [{"name": name, "ports": {"state": "present", "declared": [{"number": number, "name": "http"}]}} |
		some name, number in {"a": 80, "b": 81}
	]
	fix := ports.name_fix(container, "http") with input as {"containers": array.concat([container], others)}
	fix == "container \"a\" declares \"http\": write its number, port: 80. Names are not shared, ports are."
}

# A port of UDP is none that a probe asks, and an init container has ended by then.
test_name_fix_of_ports_that_no_probe_asks if {
	container := {"name": "web", "path": "c", "ports": {"state": "absent"}, "probes": {"readiness": {
		"port": "http",
		"target": {"state": "absent", "path": "p"},
	}}}
	others := [
		{"name": "a", "ports": {"declared": [{"number": 80, "name": "http", "protocol": "UDP"}]}},
		{"name": "b", "kind": "init", "ports": {"declared": [{"number": 80, "name": "http"}]}},
	]
	fix := ports.name_fix(container, "http") with input as {"containers": array.concat([container], others)}
	startswith(fix, "write the number in the probe, or declare it:")
	ports.name_suggestion(container) == {} with input as {"containers": array.concat([container], others)}
}

test_injected if {
	ports.injected(15021)
	ports.injected(4191)
	not ports.injected(8080)
}
