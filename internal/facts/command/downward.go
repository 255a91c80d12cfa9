package command

// Downward is a variable that a container defines by a field of its pod.
type Downward struct {
	Name      string `json:"name"`
	FieldPath string `json:"fieldPath"`
}

// define returns those of the variables that the container has to define so that Kubernetes replaces them in its
// command; none where a shell has to do it.
func (l *slipLine) define(variables []string) (all []Downward) {
	for _, v := range variables {
		switch {
		case l.isReplaced(v):
		case l.role != RoleCommand || downward(v) == "":
			return nil
		default:
			all = append(all, Downward{v, downward(v)})
		}
	}
	return all
}

// isReplaced reports whether Kubernetes replaces the references to a variable as it is defined.
func (l *slipLine) isReplaced(name string) bool {
	_, literal := l.in.Env[name]
	return (literal || l.in.EnvUnknown[name]) && l.replaces(name)
}

// downward is the field that a variable of this name holds, where people define it.
func downward(name string) string {
	switch name {
	case "HOSTNAME", "POD_NAME", "MY_POD_NAME", "K8S_POD_NAME":
		return "metadata.name"
	case "POD_NAMESPACE", "MY_POD_NAMESPACE", "K8S_POD_NAMESPACE":
		return "metadata.namespace"
	case "POD_IP", "MY_POD_IP", "K8S_POD_IP":
		return "status.podIP"
	case "NODE_NAME", "MY_NODE_NAME", "K8S_NODE_NAME":
		return "spec.nodeName"
	case "HOST_IP", "NODE_IP":
		return "status.hostIP"
	}
	return ""
}
