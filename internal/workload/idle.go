package workload

import "fmt"

// Idle says why nothing is started for the object as it is now; empty where something is, and where
// nobody knows. What runs nothing fails at nothing.
//
// A paused Deployment gets no new ReplicaSet (k8s.io/kubernetes
// pkg/controller/deployment/deployment_controller.go, syncDeployment), a suspended CronJob no Job
// (pkg/controller/cronjob/cronjob_controllerv2.go, syncCronJob), and a Job of no parallelism or no
// completions no Pod (pkg/controller/job/job_controller.go, manageJob). On a simulated node nothing is
// started. A suspended Job and a Pod with
// scheduling gates are not idle: a queue starts them, and asks nobody again.
func (v *View) Idle() string {
	zero := func(field string, n *int32) string {
		if n == nil || *n != 0 {
			return ""
		}
		return fmt.Sprintf("%s is 0", field)
	}
	if v.Simulated() {
		return "its nodes are simulated"
	}
	c := &v.Controller
	switch v.Like {
	case "Deployment":
		if c.Paused {
			return "it is paused"
		}
		return zero("replicas", c.Replicas)
	case "ReplicaSet", "ReplicationController", "StatefulSet":
		return zero("replicas", c.Replicas)
	case "CronJob":
		if c.Suspend {
			return "it is suspended"
		}
		fallthrough
	case "Job":
		if why := zero("parallelism", c.Parallelism); why != "" {
			return why
		}
		return zero("completions", c.Completions)
	}
	return ""
}
