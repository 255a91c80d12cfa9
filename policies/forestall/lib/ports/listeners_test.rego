package forestall.lib.ports_test

import data.forestall.lib.ports

_web := {
	"name": "web",
	"kind": "regular",
	"listens": {"state": "unknown"},
	"ports": {"state": "present", "declared": [{"number": 80}], "configured": {"state": "absent"}},
}

_helper := {"name": "helper", "kind": "regular", "listens": {"state": "absent"}}

_asked := {"number": 8080, "mentioned": {"state": "absent"}, "expected": {"state": "absent"}}

_configured := {"ports": {"configured": {"state": "present"}}}

_answered(containers, probed) if ports.answered(probed) with input as {"containers": containers}

test_nobody_answers if {
	not _answered([_web, _helper], _asked)
	not _answered([_web, object.union(_helper, _configured)], _asked) # its own file opens no port
}

test_somebody_answers if {
	_answered([_web, _helper], object.union(_asked, {"number": 80}))
	_answered([_web, _helper], object.union(_asked, {"expected": {"state": "present"}}))
	_answered([object.union(_web, _configured), _helper], _asked)
}
