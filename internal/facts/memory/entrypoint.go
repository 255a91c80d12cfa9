package memory

import (
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
)

// entrypoint is an image that starts a program when args begin with an option.
type entrypoint struct {
	Images  []string `json:"images"`
	Program string   `json:"program"`
	Source  string   `json:"source"`
}

// started is how the main program is started, with the program that the image
// puts before args which begin with an option.
func (p Process) started(known Table) command.Invocation {
	i := p.Invoked()
	if len(p.Container.Command) > 0 || !strings.HasPrefix(i.Program(), "-") {
		return i
	}
	program := known.program(p.Container.Image)
	if program == "" && slices.ContainsFunc(i.Words, startsJava) {
		program = "java"
	}
	if program != "" {
		first := command.Word{Text: program, Known: true, Path: i.Words[0].Path}
		i.Words = append([]command.Word{first}, i.Words...)
	}
	return i
}

// startsJava reports whether a word tells java what to run: an image that passes
// it on has named nothing to run before it, so the options before it are those of the JVM.
func startsJava(w command.Word) bool {
	return w.Known && (w.Text == "-jar" || w.Text == "-cp" || w.Text == "-classpath")
}

// program is what the image starts, empty where that is not known.
func (t Table) program(image string) string {
	repository, _ := splitImage(image)
	for _, e := range t.entrypoints {
		if slices.ContainsFunc(e.Images, func(i string) bool { return isRepository(repository, i) }) {
			return e.Program
		}
	}
	return ""
}

// isRepository reports whether a repository is the listed one, in any registry.
// One without a folder is one of Docker's own, or stands in a mirror of those.
func isRepository(repository, listed string) bool {
	before, ok := strings.CutSuffix(repository, listed)
	if !ok || before == "" {
		return ok
	}
	if strings.Contains(listed, "/") {
		return strings.HasSuffix(before, "/")
	}
	return before == "docker.io/" || strings.HasSuffix(before, "/library/")
}
