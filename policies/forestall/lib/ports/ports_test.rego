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

test_injected if {
	ports.injected(15021)
	ports.injected(4191)
	not ports.injected(8080)
}
