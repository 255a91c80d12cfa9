package helm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/forestall/forestall/internal/render"
)

// missingError names charts that a chart depends on and that are not there.
type missingError struct {
	names []string
	path  string
}

// Error says what to do.
func (e missingError) Error() string {
	return fmt.Sprintf("what Chart.yaml depends on is not in charts/: %s (helm dependency build %s)", strings.Join(e.names, ", "), e.path)
}

// compatible reports whether a version is in a range, as Helm sees it: one that cannot be read holds nothing.
func compatible(wanted, version string) bool {
	v, err := semver.NewVersion(version)
	if err != nil {
		return false
	}
	c, err := semver.NewConstraint(wanted)
	return err == nil && c.Check(v)
}

// position is how the engine writes where an error is: NAME:LINE or NAME:LINE:COLUMN.
const position = `([^\s():]+):(\d+)(?::(\d+))?`

// located finds out in which file of the chart an error of the engine is. Where templates include each other it is told in
// the innermost, which is where somebody has to look.
func (c *loaded) located(err error) render.Text {
	message := err.Error()
	places := c.templates()
	var at []string
	for _, m := range regexp.MustCompile(position).FindAllStringSubmatch(message, -1) {
		if _, known := places[m[1]]; known && (at == nil || !strings.HasPrefix(message, parseError)) {
			at = m
		}
	}
	if at == nil {
		return render.Failed(c.path, 0, fmt.Errorf("rendering the chart: %s", flat(message)))
	}
	line, _ := strconv.Atoi(at[2])
	return render.Failed(places[at[1]], line, fmt.Errorf("rendering the template: %s", flat(told(message, at))))
}

// parseError begins an error in the text of a template. It may name two places: where a bracket is missed, and where it was opened.
const parseError = "parse error at ("

// told returns the message without the place at its end or beginning, which is told beside it.
func told(message string, at []string) string {
	_, rest, _ := strings.Cut(message, at[0])
	rest = strings.TrimLeft(rest, "): \n")
	if at[3] != "" {
		return "column " + at[3] + ": " + rest
	}
	return rest
}

// flat writes a message on one line.
func flat(message string) string { return strings.Join(strings.Fields(message), " ") }
