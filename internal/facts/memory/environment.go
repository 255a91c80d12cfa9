package memory

import (
	"strconv"
	"strings"

	"github.com/forestall/forestall/internal/facts/command"
)

// variables are the environment variables of a container that ask for memory.
type variables struct {
	// java holds those with options of the JVM, in the order of the table.
	java []javaVariable
	// node is NODE_OPTIONS, goLimit GOMEMLIMIT; their path is empty where there is none.
	node, goLimit variable
	// relevant says that a value has a hint at memory.
	relevant bool
	// more says that further variables come from elsewhere (envFrom).
	more bool
}

// variable is one literal variable.
type variable struct{ name, value, path string }

// words splits the value as a program does that has no shell at hand.
func (v variable) words() []command.Word {
	fields := strings.Fields(v.value)
	words := make([]command.Word, 0, len(fields))
	for _, f := range fields {
		words = append(words, command.Word{Text: strings.Trim(f, `"'`), Known: true, Path: v.path})
	}
	return words
}

type javaVariable struct {
	variable
	when When
	// unknown says that the value is not at hand.
	unknown bool
}

// environment finds the variables. A later entry of the same name replaces the earlier one.
func environment(p Process, known Table) variables {
	e := variables{more: len(p.Container.EnvFrom) > 0}
	for i, env := range p.Container.Env {
		value, literal := p.Env[env.Name]
		literal = literal && env.ValueFrom == nil
		when, isJava := known.java[env.Name]
		if isJava && !literal {
			e.java = append(e.java, javaVariable{variable: variable{name: env.Name}, when: when, unknown: true})
		}
		if !literal || value == "" {
			continue
		}
		v := variable{name: env.Name, value: value, path: p.Path + ".env[" + strconv.Itoa(i) + "].value"}
		hinted := hasHint(p.Budget, []string{value})
		e.relevant = e.relevant || hinted // a script may use it under any name
		switch {
		case env.Name == nodeOptions:
			e.node = v
		case env.Name == goLimitName:
			e.goLimit, e.relevant = v, true
		case isJava && hinted:
			e.java = append(e.java, javaVariable{variable: v, when: when})
		}
	}
	return e
}

// goAsks is the soft limit of the Go runtime.
func goAsks(e variables, r reader) []Ask {
	bytes, ok := goBytes(e.goLimit.value)
	if !ok || !r.mayRead(goLimitName) {
		return nil
	}
	return []Ask{{
		Kind: GoLimit, Bytes: bytes, Text: goLimitName + "=" + e.goLimit.value, Flag: goLimitName,
		Variable: goLimitName, Path: e.goLimit.path, Assumed: r.assumes,
	}}
}
