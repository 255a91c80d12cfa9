package forestall.lib.restarts

import data.forestall.lib.words

# METADATA
# description: What becomes of a container that a probe stops whenever it runs, in one clause.
# scope: document
stopped(container) := "stopped for good" if {
	container.restartPolicy == "Never"
} else := "restarted for ever" if {
	until(container) == "without end"
} else := "restarted again and again"

# A pod has failed when all its main containers have ended; a failed init container ends it at once.
_once_ended(container) := sprintf(" once %s has ended", [others]) if {
	container.kind == "regular"
	others := words.beside(container.name)
	others != ""
} else := ""

# METADATA
# description: What becomes of a pod that has failed, as the rest of a sentence.
# scope: document
next_pod := concat("", [
	"; the Job starts another after 10s, 20s, 40s, up to 10m,",
	sprintf(" until %d have failed (backoffLimit %d)", [input.workload.backoffLimit + 1, input.workload.backoffLimit]),
	sprintf(": then %s%s", [_job_fails, _or_deadline]),
]) if {
	input.workload.backoffLimit > 0
} else := sprintf(", and %s with it (backoffLimit 0)", [_job_fails]) if {
	input.workload.backoffLimit == 0
} else := ", and nothing starts it again" if {
	input.workload.bare
} else := ", and its controller creates others that fail, without end" if {
	not words.may_end
} else := ", and its controller decides whether there is another"
