package command

import "strings"

// Marks stand in a text for what a parser of shell would take for something else: for a dollar that is one, and
// around the name of a reference that Kubernetes replaces. They are characters for private use, and where a text has
// them nothing is marked.
const (
	dollarMark = "\ue000"
	openMark   = "\ue001"
	closeMark  = "\ue002"
)

// marked is a text with marks.
func (l *slipLine) marked(text string) string {
	if len(text) > maxMeant || !strings.Contains(text, "$") || strings.ContainsAny(text, dollarMark+openMark+closeMark) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		name, isReference := l.referenceAt(text, i)
		switch {
		case isReference:
			b.WriteString(openMark + name + closeMark)
			i += len("$()") + len(name) - 1
		case text[i] == '$' && l.isLiteralDollar(text, i):
			b.WriteString(dollarMark)
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// restored takes the marks out of words again.
func restored(words []string) []string {
	r := strings.NewReplacer(dollarMark, "$", openMark, "$(", closeMark, ")")
	for i := range words {
		words[i] = r.Replace(words[i])
	}
	return words
}

// referenceAt is the name of the reference $(NAME) at i, where Kubernetes replaces it and it stays within its word.
func (l *slipLine) referenceAt(text string, i int) (string, bool) {
	rest, ok := strings.CutPrefix(text[i:], "$(")
	if !ok || i > 0 && text[i-1] == '$' {
		return "", false
	}
	name, after, ok := strings.Cut(rest, ")")
	if !ok {
		return "", false
	}
	value, literal := l.in.Env[name]
	if !literal && !l.in.EnvUnknown[name] || !l.replaces(name) {
		return "", false
	}
	if literal && value != "" && !strings.ContainsAny(value, " \t\r\n\"'\\") {
		return name, true
	}
	within := i > 0 && !strings.ContainsAny(text[i-1:i], " \t\r\n") || after != "" && !strings.ContainsAny(after[:1], " \t\r\n")
	return name, within
}

// replaces reports whether the kubelet replaces the references to a variable that the container defines: in the
// command all of them, in probes those whose value is written there (pkg/kubelet/prober/prober.go, runProbe), in
// hooks none (pkg/kubelet/lifecycle/handlers.go, Run).
func (l *slipLine) replaces(name string) bool {
	switch l.role {
	case RoleCommand:
		return true
	case RolePostStart, RolePreStop:
		return false
	}
	_, literal := l.in.Env[name]
	return literal
}
