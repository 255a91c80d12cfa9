package forestall.lib.consequences

import data.forestall.lib.words

# METADATA
# description: What follows where a Job, or the Job of a CronJob, never completes; empty for other kinds.
# scope: document
never_completes := concat(" ", array.concat(_held_open, next_runs))

_held_open := [concat(" ", [
	sprintf("The Job never completes: after activeDeadlineSeconds (%s)", [
		words.duration(input.workload.activeDeadlineSeconds),
	]),
	"it has failed with DeadlineExceeded.",
])] if {
	words.batch
	input.workload.activeDeadlineSeconds
} else := ["The Job never completes."] if {
	words.batch
} else := []

# METADATA
# description: |
#   What a run that never ends means for the next runs of its CronJob, as a list of at most one sentence; none for
#   other kinds, and none where a deadline ends the run.
# scope: document
next_runs := [_next[input.workload.concurrencyPolicy]] if {
	input.workload.kind == "CronJob"
	input.workload.concurrencyPolicy # which a custom kind of that name has not
	not input.workload.activeDeadlineSeconds
} else := []

_next := {
	"Allow": "Each run of the CronJob adds another pod that stays.",
	"Forbid": "The CronJob starts no other run (concurrencyPolicy Forbid).",
	"Replace": "Each run of the CronJob ends the one before it, unfinished.",
}
