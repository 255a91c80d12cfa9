package report

import (
	"fmt"
	"strings"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/review"
)

// maxKinds bounds how many kinds a table names that have no pod template.
const maxKinds = 6

// notJudged is one line on what was read and not judged; empty where there is nothing.
func notJudged(all []audit.NotJudged) string {
	var told []string
	named, more := 0, 0
	for _, n := range all {
		switch text := why(n); {
		case n.Reason != review.NoPodTemplate:
			told = append(told, kinds(n)+" "+text)
		case named < maxKinds && n.Kind != audit.OtherKinds:
			named++
			told = append(told, kinds(n))
		default:
			more += n.Objects
		}
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("%d of other kinds", more))
	}
	if len(told) == 0 {
		return ""
	}
	return "not judged: " + strings.Join(told, ", ")
}

// why says why objects of a kind were not judged, and of the first where it is.
func why(n audit.NotJudged) string {
	be := "are"
	if n.Objects == 1 {
		be = "is"
	}
	switch n.Reason {
	case review.Part:
		return fmt.Sprintf("that %s no whole object, such as a patch (%s: %s)", be, n.First, n.Detail)
	case review.UnknownKind:
		return fmt.Sprintf("of %s (%s: %s: name it in kinds of the configuration)", n.APIVersion, n.First, n.Detail)
	default:
		return fmt.Sprintf("(%s: %s)", n.First, n.Detail)
	}
}

// kinds counts objects with their kind.
func kinds(n audit.NotJudged) string {
	if n.Objects == 1 {
		return "1 " + n.Kind
	}
	return fmt.Sprintf("%d %s", n.Objects, plural(n.Kind))
}

// plural is the plural of a kind, as the API's own names have it.
func plural(kind string) string {
	switch {
	case kind == "Endpoints", kind == audit.OtherKinds:
		return kind
	case strings.HasSuffix(kind, "s"), strings.HasSuffix(kind, "x"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	case strings.HasSuffix(kind, "ay"):
		return kind + "s"
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}
