package audit

import "github.com/forestall/forestall/internal/finding"

// Tee returns a sink that tells several others the same. The first error ends it.
func Tee(sinks ...Sink) Sink {
	if len(sinks) == 1 {
		return sinks[0]
	}
	return tee(sinks)
}

type tee []Sink

func (t tee) all(tell func(Sink) error) error {
	for _, s := range t {
		if err := tell(s); err != nil {
			return err
		}
	}
	return nil
}

func (t tee) Found(f finding.Finding) error {
	return t.all(func(s Sink) error { return s.Found(f) })
}

func (t tee) FoundIgnored(i finding.Ignored) error {
	return t.all(func(s Sink) error { return s.FoundIgnored(i) })
}

func (t tee) FoundTrouble(d finding.Trouble) error {
	return t.all(func(s Sink) error { return s.FoundTrouble(d) })
}

func (t tee) Warned(w Warning) error {
	return t.all(func(s Sink) error { return s.Warned(w) })
}

func (t tee) Failed(e Error) error {
	return t.all(func(s Sink) error { return s.Failed(e) })
}

func (t tee) Done(sum Summary) error {
	return t.all(func(s Sink) error { return s.Done(sum) })
}
