package command

import (
	"path"
	"slices"
	"strings"

	"github.com/forestall/forestall/internal/facts/fact"
)

// judge says of a slip whether what was meant may be written in the place of the command line: nothing else can have
// been meant, and it needs nothing that the container may lack.
func (l *slipLine) judge(s *Slip) {
	s.Role, s.Step = l.role, isStep(s.Meant)
	if len(s.Meant) > 0 && l.isIntroduced(s.Meant) {
		s.Shell = l.hasShell(s.Meant[0])
	}
	switch s.Form {
	case formOption, formEmpty, formGlued, formReference:
	case formOperator, formVariable, formSubstitution:
		// A program that gets the text of a script runs; without a shell it would not.
		s.Sure = s.Shell == ""
	default:
		s.Sure = s.Shell != fact.Absent && (s.Shell == "" || path.Base(s.Meant[0]) != "bash")
	}
	s.Sure = s.Sure && len(s.Meant) > 0 && len(s.Define) == 0 && !slices.ContainsFunc(l.raw, l.isAmbiguous)
}

// hasShell says whether the image has the shell; empty where it does.
func (l *slipLine) hasShell(name string) fact.State {
	switch {
	case lacksShell(l.in.ImageText):
		return fact.Absent
	case name == shellName && (l.shell || hasShell(l.in.ImageText)):
		return ""
	}
	return fact.Unknown
}

// isIntroduced reports whether a command line runs in a shell that nobody wrote.
func (l *slipLine) isIntroduced(meant []string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(l.words[0].text), " ")
	return (meant[0] == shellName || meant[0] == "bash") && first != meant[0] && !slices.Contains(l.raw, meant[0])
}

// isAmbiguous reports whether a shell may make something else of a text than was meant: Pa of Pa$WORD1, two commands
// of a=1&b=2.
func (l *slipLine) isAmbiguous(text string) bool {
	if len(text) > maxMeant || strings.Contains(text, "$$") || strings.Contains(text, `{"`) {
		return true // a shell reads once more what is a dollar for Kubernetes, and takes the quotes out of JSON
	}
	for i := 1; i+1 < len(text); i++ {
		before, after := text[i-1], text[i+1]
		switch text[i] {
		case '&':
			if !strings.ContainsRune(" \t\r\n&<>|;", rune(before)) && !strings.ContainsRune(" \t\r\n&<>|;0123456789", rune(after)) {
				return true
			}
		case '$':
			if l.isLiteralDollar(text, i) {
				return true
			}
		}
	}
	return false
}

// isLiteralDollar reports whether the dollar at i stands within a word, before a name that nobody defines.
func (l *slipLine) isLiteralDollar(text string, i int) bool {
	if i == 0 || !isLetter(text[i-1]) && !isNumber(text[i-1:i]) {
		return false
	}
	n := i + 1
	for n < len(text) && (isLetter(text[n]) || text[n] == '_' || n > i+1 && isNumber(text[n:n+1])) {
		n++
	}
	name := text[i+1 : n]
	if name == "" {
		return i+1 < len(text) && isNumber(text[i+1:i+2]) // US$5
	}
	_, defined := l.in.Env[name]
	return !defined && !l.in.EnvUnknown[name] && !isAlwaysDefined(name) && !strings.Contains(head(text, maxText), name+"=")
}

// lacksShell reports whether an image is known to have no shell.
func lacksShell(image string) bool {
	image = strings.TrimPrefix(image, "docker.io/")
	repository, tag, _ := strings.Cut(image, ":")
	for _, bare := range []string{
		"gcr.io/distroless/", "cgr.dev/chainguard/static", "registry.k8s.io/pause", "registry.k8s.io/etcd", "registry.k8s.io/kube-",
		"registry.k8s.io/coredns", "quay.io/coreos/etcd", "coredns/coredns", "hello-world", "scratch", "otel/opentelemetry-collector",
	} {
		if strings.HasPrefix(repository, bare) {
			return !strings.Contains(tag, "debug")
		}
	}
	return false
}

// hasShell reports whether an image is known to have sh: official images that are made of a distribution.
func hasShell(image string) bool {
	for _, prefix := range []string{"docker.io/library/", "docker.io/", "library/", "public.ecr.aws/docker/library/", "mirror.gcr.io/library/"} {
		image = strings.TrimPrefix(image, prefix)
	}
	name, _, _ := strings.Cut(image, "@")
	name, _, _ = strings.Cut(name, ":")
	return slices.Contains([]string{
		"busybox", "alpine", "debian", "ubuntu", "fedora", "amazonlinux", "almalinux", "centos", "rockylinux", "oraclelinux", "bash",
		"buildpack-deps", "gcc", "golang", "rust", "python", "node", "ruby", "php", "perl", "openjdk", "eclipse-temurin", "amazoncorretto",
		"nginx", "httpd", "redis", "postgres", "mysql", "mariadb", "mongo", "rabbitmq", "memcached", "wordpress", "tomcat",
		"curlimages/curl", "bitnami/kubectl", "alpine/git", "alpine/helm",
	}, name)
}

// isStep reports whether a command line, or the last command of its script, does something once, such as migrating a
// database: what starts it again and again may do harm.
func isStep(words []string) bool {
	text := strings.Join(words, " ")
	for _, end := range []string{"&&", ";", "\n", "||"} {
		if i := strings.LastIndex(text, end); i >= 0 {
			text = text[i+len(end):]
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), func(part string) bool {
		return slices.Contains([]string{
			"migrate", "migration", "migrations", "migrator", "seed", "upgrade", "initdb", "createdb", "dropdb", "createuser", "createsuperuser",
			"bootstrap", "backup", "restore", "import", "export", "dump", "dumpdata", "loaddata", "mysqldump", "mongodump", "mongorestore",
			"delete", "drop", "purge", "prune", "reset", "setup", "install", "apply", "flyway", "liquibase",
		}, part)
	})
}
