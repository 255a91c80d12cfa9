package command

// Variable is one environment variable as a container lists it.
type Variable struct {
	Name, Value string
	// Elsewhere says that the value comes from another object (valueFrom).
	Elsewhere bool
}

// SetEnv fills Env and EnvUnknown from the variables in their order. References
// to earlier variables are replaced, as the kubelet does
// (k8s.io/kubernetes pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables).
// EnvOpen and Budget must be set before.
func (in *Input) SetEnv(vars []Variable) {
	in.Budget = in.Budget.OrDefault()
	in.Env = make(map[string]string, len(vars))
	in.EnvUnknown = map[string]bool{}
	e := expander{in: in, room: maxBytes} // values that double with each reference stay bounded
	for _, v := range vars {
		if !in.Budget.Spend(1 + len(v.Value)/perStep) {
			in.EnvOpen = true // any name may be defined
			return
		}
		value, missing := e.replace(v.Value)
		e.room -= len(value)
		if v.Elsewhere || missing != "" || e.room < 0 {
			delete(in.Env, v.Name)
			in.EnvUnknown[v.Name] = true
			continue
		}
		delete(in.EnvUnknown, v.Name)
		in.Env[v.Name] = value
	}
}
