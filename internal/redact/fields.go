package redact

import "regexp"

// class says how the strings of a field are replaced.
type class int

const (
	// name: every word is replaced, also those that everybody knows. This is what a field is of which nothing is known.
	name class = iota
	// text is a command, a path or an image: words that everybody knows stay.
	text
	// value is replaced as a whole.
	value
	// hidden is replaced as a whole, whatever the verdict.
	hidden
	// choice is one of the words that the API allows.
	choice
	// amount is a number with a unit.
	amount
	// variable is an environment variable, of whose name the words stay that everybody knows.
	variable
	// kept stays: the API takes no other word.
	kept
)

// classes of the fields that are not names.
func classes() map[string]class {
	all := map[string]class{}
	for c, fields := range map[class][]string{
		text: {"command", "args", "image", "path", "mountPath", "subPath", "subPathExpr", "workingDir", "topologyKey", "key"},
		choice: {
			"restartPolicy", "imagePullPolicy", "protocol", "scheme", "type", "operator", "effect",
			"whenUnsatisfiable", "terminationMessagePolicy", "dnsPolicy", "concurrencyPolicy", "podManagementPolicy", "completionMode",
			"medium", "mountPropagation", "fieldPath", "resource", "accessModes", "volumeMode", "preemptionPolicy", "add", "drop",
			"externalTrafficPolicy", "internalTrafficPolicy", "sessionAffinity", "ipFamilies", "ipFamilyPolicy", "whenDeleted", "whenScaled",
			"schedule", "fsGroupChangePolicy", "podReplacementPolicy", "action", "policyTypes",
		},
		amount: {
			"limits", "requests", "sizeLimit", "divisor", "storage", "maxUnavailable", "maxSurge", "min", "max", "default", "defaultRequest",
			"maxLimitRequestRatio", "hard",
		},
		value:    {"value", "annotations"},
		hidden:   {"data", "stringData", "binaryData"},
		variable: {"env"},
		kept:     {"apiVersion", "kind", "timeZone"},
	} {
		for _, f := range fields {
			all[f] = c
		}
	}
	return all
}

// below returns the class of what stands in a field of something of a class.
func (w *words) below(outer class, field string) class {
	switch outer {
	case value, hidden, amount: // whatever it holds
		return outer
	case variable:
		if field == "name" {
			return text
		}
	case name, text, choice, kept:
	}
	c, known := w.classes[field]
	if !known {
		return name
	}
	return c
}

// ownKeys reports whether the keys in a field are somebody's own, and not fields of the API.
func ownKeys(field string, value Object) bool {
	switch field {
	case "selector": // that of a Service, and not of a Deployment
		return value["matchLabels"] == nil && value["matchExpressions"] == nil
	case "labels", "matchLabels", "annotations", "nodeSelector", "data", "stringData", "binaryData", "limits", "requests", "hard":
		return true
	}
	return false
}

// isChoice and isAmount are what the values of such fields look like; others are taken for text.
func isChoice(s string) bool {
	return regexp.MustCompile(`^([A-Z_]+|([A-Z][a-z]+)+|[0-9*/, -]+|(status|metadata|spec)\.[A-Za-z.]+|(limits|requests)\.[a-z-]+)$`).MatchString(s)
}

func isAmount(s string) bool {
	return regexp.MustCompile(`^[-+]?[0-9.]+([eE][-+]?[0-9]+)?[A-Za-z%]{0,2}$`).MatchString(s)
}
