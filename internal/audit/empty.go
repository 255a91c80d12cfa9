package audit

import "errors"

var (
	errEmpty      = errors.New("there is no document in it")
	errEmptyStdin = errors.New("there is no document in it: the command that was to write it may have failed")
)

// missEmpty adds an error for standard input without a document, and for files if none of all has one: whoever names
// them wants something to be judged. Between others a file may be empty, as rendered charts and folders have them.
func (s *Set) missEmpty(files []input) error {
	none := len(s.filled) == 0
	for i, in := range files {
		err := errEmpty
		if in.name == stdinName {
			err = errEmptyStdin
		} else if !none {
			continue
		}
		if s.filled[i] {
			continue
		}
		if err := s.take(&read{Document: broken(0, err), file: i, none: true}); err != nil {
			return err
		}
	}
	return nil
}
