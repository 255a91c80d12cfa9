// Package html shows an audit as one page that people send around. The page holds all that it needs: its style, its
// script and its data stand in the file, and nothing is fetched. What stands around the findings is written here and
// can be read without JavaScript; the findings are data, which the script of the page filters and shows a part at a time.
//
// A report shows text that strangers wrote. Text gets into the page through html/template or as JSON without a
// "<", the script of the page makes text nodes alone, and the page's Content-Security-Policy lets no other script run.
package html

import (
	"fmt"
	"io"
	"time"

	"github.com/forestall/forestall/internal/audit"
	"github.com/forestall/forestall/internal/policy"
)

// Options describe the run.
type Options struct {
	// Rules is the catalogue. Of a rule that is not in it only the id is told.
	Rules []policy.Rule
	// Version of forestall.
	Version string
	// Now is when the report is made; the zero time leaves it out.
	Now time.Time
}

// New returns a sink that writes the page once the run is done. It keeps all that it is told until then.
func New(w io.Writer, o Options) audit.Sink { return &sink{to: w, options: o} }

type sink struct {
	audit.Result
	to      io.Writer
	options Options
}

// Done writes the page.
func (s *sink) Done(sum audit.Summary) error {
	s.Summary = sum
	if err := write(s.to, &s.Result, s.options); err != nil {
		return fmt.Errorf("writing the report as html: %w", err)
	}
	return nil
}
