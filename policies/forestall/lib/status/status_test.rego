package forestall.lib.status_test

import data.forestall.lib.status

_web := {"name": "web", "kind": "regular"}

_once := {"name": "once", "kind": "regular", "command": {"ends": {"state": "present"}}}

_init := {"name": "init", "kind": "init"}

_sidecar := object.union(_once, {"name": "side", "kind": "sidecar"})

test_of if {
	status.of(_web, "Error") == "Error"
	status.of(_init, "Error") == "Init:Error"
	status.of(_sidecar, "CrashLoopBackOff") == "Init:CrashLoopBackOff"
	status.unstarted(_web) == "RunContainerError"
	status.unstarted(object.union(_init, {"restartPolicy": "Never"})) == "Init:StartError"
	status.in_text(_web, "OOMKilled, or Error") == "OOMKilled, or Error"
	status.in_text(_init, "OOMKilled, or Error") == "Init:OOMKilled, or Init:Error"
}

test_completed if {
	status.completed(_once) == "Completed" with input as {"containers": [_once]}
	status.completed(_once) == "Completed" with input as {"containers": [_once, object.union(_once, {"name": "again"})]}
	status.completed(_once) == "NotReady" with input as {"containers": [_web, _once]}
	status.completed(_sidecar) == "PodInitializing, then Running"
}

test_ready if {
	status.ready_beside(_once) == "" with input as {"containers": [_init, _once]}
	status.ready_beside(_once) == ", READY 1/3" with input as {"containers": [_sidecar, _web, _once]}
	status.ready_without(_web) == "0/1" with input as {"containers": [_web]}
}

test_not_set_up if {
	status.not_set_up == "ContainerCreating" with input as {"containers": [_web]}
	status.not_set_up == "Init:0/2" with input as {"containers": [_init, _sidecar, _web]}
}
