package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forestall/forestall/internal/report"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

// String returns the word that is set.
func (c *choice) String() string { return c.value }

// Type shows the words in the help.
func (c *choice) Type() string { return strings.Join(c.words, "|") }

// Set takes one of the words.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("it is one of %s", strings.Join(c.words, ", "))
	}
	c.value = word
	return nil
}

// choose adds a flag for one of the words, the first of which is the default.
func choose(c *cobra.Command, name, short, about string, words ...string) *choice {
	v := &choice{value: words[0], words: words}
	c.Flags().VarP(v, name, short, about)
	complete(c, name, words...)
	return v
}

// complete makes the shell offer the words for a flag.
func complete(c *cobra.Command, name string, words ...string) {
	// It fails only for a flag that does not exist, which completion cannot mend.
	_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func outputFlag(c *cobra.Command) *choice {
	var words []string
	for _, f := range report.Formats() {
		words = append(words, string(f))
	}
	return choose(c, "output", "o", "how to show the result", words...)
}

// filesFlag adds -f, which may be given several times.
func filesFlag(c *cobra.Command) *[]string {
	files := c.Flags().StringArrayP("filename", "f", nil, "file, folder (with all below it) or - for standard input; repeatable")
	_ = c.MarkFlagFilename("filename", endings()...)
	return files
}

// completeFlag adds --complete, which takes what is not in the files for missing.
func completeFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("complete", false, "the files hold everything that runs in their namespaces: say what is missing")
}
