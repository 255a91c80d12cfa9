package observe

// State is everything that was observed of a namespace at one moment.
type State struct {
	Pods        []Pod        `json:"pods,omitempty"`
	Jobs        []Job        `json:"jobs,omitempty"`
	Deployments []Deployment `json:"deployments,omitempty"`
	Services    []Service    `json:"services,omitempty"`
}

// Pod is what the kubelet and the control plane tell about a pod.
type Pod struct {
	Name   string            `json:"name,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Phase  string            `json:"phase,omitempty"`
	// Reason and Message are set where the pod as a whole ended: Evicted.
	Reason     string      `json:"reason,omitempty"`
	Message    string      `json:"message,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	// Containers are all of them: init containers first, then the others.
	Containers []Container `json:"containers,omitempty"`
	Events     []Event     `json:"events,omitempty"`
}

// Container is the state of one container of a pod.
type Container struct {
	Name     string `json:"name,omitempty"`
	Ready    bool   `json:"ready,omitempty"`
	Running  bool   `json:"running,omitempty"`
	Restarts int    `json:"restarts,omitempty"`
	// Waiting is why it does not run now; nil where it does or has ended.
	Waiting *Reason `json:"waiting,omitempty"`
	// Ended lists how it ended: now, and the time before.
	Ended []Ended `json:"ended,omitempty"`
}

// Reason is a reason with the sentence that goes with it.
type Reason struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Ended is how a container ended once.
type Ended struct {
	Reason   `json:",inline"`
	ExitCode int `json:"exitCode,omitempty"`
}

// Condition is one condition of a pod, a Job or a Deployment.
type Condition struct {
	Reason `json:",inline"`
	Type   string `json:"type,omitempty"`
	Status string `json:"status,omitempty"`
}

// Event is an event about a pod.
type Event struct {
	Reason `json:",inline"`
	Type   string `json:"type,omitempty"`
}

// Job is what the Job controller tells about a Job.
type Job struct {
	Name       string      `json:"name,omitempty"`
	Succeeded  int         `json:"succeeded,omitempty"`
	Failed     int         `json:"failed,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
}

// Deployment is what the Deployment controller tells about a Deployment.
type Deployment struct {
	Name       string      `json:"name,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	// ReplicaSets is how many it owns, the old ones too.
	ReplicaSets int `json:"replicaSets,omitempty"`
}

// Service is who would get the requests of a Service.
type Service struct {
	Name     string `json:"name,omitempty"`
	Ready    int    `json:"ready,omitempty"`    // endpoints
	NotReady int    `json:"notReady,omitempty"` // endpoints
	// Ports are those on which its ready endpoints can be reached, by the names that the Service gives
	// them: a port that the pods do not have is left out.
	Ports []string `json:"ports,omitempty"`
}
