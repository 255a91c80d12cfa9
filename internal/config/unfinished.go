package config

import "fmt"

// Unfinished says what becomes of an object that takes more steps or memory than the review of
// one object may take.
type Unfinished string

const (
	// Admit admits the object with a warning, unless what was found denies it. It is the default.
	Admit Unfinished = "admit"
	// Refuse refuses the object when it is created, unless a controller owns it.
	Refuse Unfinished = "refuse"
)

// ParseUnfinished reads the word as people write it.
func ParseUnfinished(s string) (Unfinished, error) {
	switch u := Unfinished(s); u {
	case Admit, Refuse:
		return u, nil
	}
	return Admit, fmt.Errorf("unknown word %q: it is admit or refuse", s)
}
