# METADATA
# title: Restarts
# description: |
#   What follows when a container has failed: whether it is started again, and what puts an end to that. In a Job it is
#   the Job that does (k8s.io/kubernetes pkg/controller/job/job_controller.go, exceedsBackoffLimit,
#   pastBackoffLimitOnFailure and pastActiveDeadline).
# schemas:
#   - input: schema.input
package forestall.lib.restarts

import data.forestall.lib.status
import data.forestall.lib.words

# METADATA
# description: What follows a failure, without a full stop.
# scope: document
after_failure(container) := again(container) if {
	not container.restartPolicy == "Never"
} else := sprintf("the pod fails%s (restartPolicy Never)%s", [_once_ended(container), next_pod])

# METADATA
# description: |
#   When the kubelet starts a container again, and until when; without a full stop. The first time there is no
#   back-off yet (k8s.io/kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go, doBackOff).
# scope: document
again(container) := sprintf("it is started again at once, then after 10s, 20s, 40s, up to 5m, %s", [until(container)])

# METADATA
# description: The same with what kubectl shows between the starts of a container that has failed.
# scope: document
loop(container) := sprintf("it is started again at once, then after 10s, 20s, 40s, up to 5m (%s), %s", [
	status.of(container, "CrashLoopBackOff"), until(container),
])

# METADATA
# description: What puts an end to the restarts of a container.
# scope: document
until(container) := sprintf("until it was restarted %s (backoffLimit %d): then %s, and its pod is deleted%s", [
	words.times(max({1, input.workload.backoffLimit})), input.workload.backoffLimit, _job_fails, _or_deadline,
]) if {
	_restarts_count
} else := until_deadline if {
	until_deadline != "without end"
} else := "until its controller gives up" if {
	input.pod.restartPolicy == "OnFailure"
	not input.workload.bare
} else := "as long as the pod runs" if {
	container.kind == "sidecar"
	input.pod.restartPolicy != "Always"
} else := "without end"

# METADATA
# description: How long something goes on that nobody counts.
# scope: document
until_deadline := sprintf("until activeDeadlineSeconds (%s) is over and the Job fails (DeadlineExceeded)", [
	words.duration(input.workload.activeDeadlineSeconds),
]) if {
	input.workload.activeDeadlineSeconds
} else := sprintf("until activeDeadlineSeconds (%s) is over and the pod fails (DeadlineExceeded)", [
	words.duration(input.pod.activeDeadline.seconds),
]) if {
	input.pod.activeDeadline.state == "present"
} else := "without end"

# A deadline of the pod makes a failed pod of what is counted as restarts.
_restarts_count if {
	input.pod.restartPolicy == "OnFailure"
	input.pod.activeDeadline.state != "present"
	input.workload.backoffLimit >= 0
}

_job_fails := "the Job fails (BackoffLimitExceeded)"

_or_deadline := sprintf(", or until activeDeadlineSeconds (%s) is over (DeadlineExceeded)", [
	words.duration(input.workload.activeDeadlineSeconds),
]) if {
	input.workload.activeDeadlineSeconds
} else := ""
