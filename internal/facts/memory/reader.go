package memory

import (
	"path"
	"slices"

	"github.com/forestall/forestall/internal/facts/command"
)

// The variables that are no options of the JVM, and the one that only the launcher of Java 9 and later reads.
const (
	nodeOptions     = "NODE_OPTIONS"
	goLimitName     = "GOMEMLIMIT"
	launcherOptions = "JDK_JAVA_OPTIONS"
)

// reads is an entry of the table: who reads which variables.
type reads struct {
	// Programs are names of programs, Images repositories without registry and tag.
	Programs []string `json:"programs"`
	Images   []string `json:"images"`
	// Names are patterns of the last part of a repository, in any registry.
	Names []string `json:"names"`
	// Reads are the variables, in the order in which they are read.
	Reads  []string `json:"reads"`
	Source string   `json:"source"`
}

// reader is what is known of who reads the variables of a container.
type reader struct {
	// listed says that the table, or what runs, names all that are read.
	listed bool
	reads  []string
	// assumes says that it is not certain.
	assumes bool
}

// mayRead reports whether a variable is read, or may be.
func (r reader) mayRead(name string) bool { return !r.listed || slices.Contains(r.reads, name) }

func isNode(program string) bool { return program == "node" || program == "nodejs" }

// reader finds who reads the variables: the program where it is known, otherwise the image. It looks only
// where one of the variables is there.
func (p Process) reader(started command.Invocation, e variables, known Table) reader {
	if len(e.java) == 0 && e.node.name == "" && e.goLimit.name == "" {
		return reader{listed: true}
	}
	program := path.Base(started.Program())
	switch {
	case program == "java": // it is not asked: javaAsks knows what the JVM reads
		return reader{listed: true}
	case isNode(program):
		return reader{listed: true, reads: []string{nodeOptions}}
	}
	p.Budget.Spend(len(known.reads))
	for _, r := range known.reads {
		if slices.Contains(r.Programs, program) {
			return reader{listed: true, reads: r.Reads, assumes: true} // scripts source files that set them anew
		}
	}
	if started.Familiar || isOther(program) {
		return reader{listed: true}
	}
	return p.imageReader(known)
}

// imageReader is what the image reads. What is certain of a published image is not of one that is only called
// the same, or that is given a command, or files.
func (p Process) imageReader(known Table) reader {
	repository, _ := splitImage(p.Container.Image)
	asItIs := len(p.Container.Command) == 0 && len(p.Container.Args) == 0 && len(p.Container.VolumeMounts) == 0
	for _, r := range known.reads {
		if slices.ContainsFunc(r.Images, func(image string) bool { return isRepository(repository, image) }) {
			return reader{listed: true, reads: r.Reads, assumes: !asItIs}
		}
		if slices.ContainsFunc(r.Names, func(pattern string) bool { return matches(pattern, path.Base(repository)) }) {
			return reader{listed: true, reads: r.Reads, assumes: true}
		}
	}
	return reader{assumes: true}
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// isOther reports whether a program is one that reads none of the variables.
func isOther(program string) bool {
	return slices.Contains([]string{"redis-server", "valkey-server", "stress", "stress-ng"}, program)
}
