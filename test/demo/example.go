package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	expectPrefix       = "expect: "
	defaultLimitPrefix = "with a default limit: "
)

// example is a manifest and what its header says about it.
type example struct {
	file  string
	title string
	// expect is what should become of it under the default configuration.
	expect outcome
	// withDefaultLimit is what should become of it where forestall has a default
	// memory limit to give; empty when the header does not say.
	withDefaultLimit outcome
}

// loadExamples reads the headers of all manifests in a folder, in order.
func loadExamples(dir string) ([]example, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("listing the examples: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no manifests in %s", dir)
	}
	slices.Sort(files)
	examples := make([]example, 0, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading an example: %w", err)
		}
		e, err := parseHeader(file, string(text))
		if err != nil {
			return nil, err
		}
		examples = append(examples, e)
	}
	return examples, nil
}

// parseHeader reads the comment lines that a manifest begins with: the first
// says what it shows, others say what is expected.
func parseHeader(file, text string) (example, error) {
	e := example{file: file}
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			break
		}
		comment = strings.TrimSpace(comment)
		expect, isExpect := strings.CutPrefix(comment, expectPrefix)
		limited, isLimited := strings.CutPrefix(comment, defaultLimitPrefix)
		switch {
		case isExpect:
			e.expect = outcome(expect)
		case isLimited:
			e.withDefaultLimit = outcome(limited)
		case e.title == "":
			e.title = comment
		}
	}
	switch {
	case e.title == "":
		return e, fmt.Errorf("%s: the first line does not say what it shows", file)
	case !e.expect.known():
		return e, fmt.Errorf("%s: # %s%q: want one of %v", file, expectPrefix, e.expect, outcomes())
	case e.withDefaultLimit != "" && !e.withDefaultLimit.known():
		return e, fmt.Errorf("%s: # %s%q: want one of %v", file, defaultLimitPrefix, e.withDefaultLimit, outcomes())
	}
	return e, nil
}
