package image

import (
	"regexp"
	"strings"

	"github.com/distribution/reference"
)

// mistake is a way to write a reference that the kubelet cannot read; find
// returns the piece that shows it. Each is looked for in references that are known to
// be wrong, so that it may be crude.
type mistake struct {
	form Form
	find func(text string) (part string, ok bool)
}

// mistakes are in the order in which one explains the others.
func mistakes() []mistake {
	return []mistake{
		{Edge, found(func(text string) bool { return strings.TrimSpace(text) != text })},
		{Placeholder, placeholder.first},
		{Placeholder, nothing.first},
		{Placeholder, importPath.first},
		{Placeholder, capitals.first},
		{Scheme, scheme.first},
		{Character, stranger.first},
		{Slash, found(func(text string) bool { return strings.HasPrefix(text, "/") })},
		{Name, found(func(text string) bool { return strings.HasPrefix(text, ":") || strings.HasPrefix(text, "@") })},
		{TagMissing, found(func(text string) bool { return split(text).tag == ":" || strings.HasSuffix(text, ":") })},
		{Digest, badDigest},
		{Identifier, found(isID)},
		{Port, badPort},
		{Host, badHost},
		{Tag, badTag},
		{Case, upperCase},
		{Length, found(tooLong)},
		{Part, badPart},
	}
}

// pattern finds the piece in its first group, or as a whole where it has none.
type pattern struct{ *regexp.Regexp }

func compile(expression string) pattern { return pattern{regexp.MustCompile(expression)} }

func (p pattern) first(text string) (string, bool) {
	groups := p.FindStringSubmatch(text)
	if groups == nil {
		return "", false
	}
	return groups[len(groups)-1], true
}

var (
	// What template engines and shells leave behind.
	placeholder = compile(`\{\{[^}]*\}*|[$#]\{[^}]*\}?|\$\([^)]*\)?|\$\w+|<[^>]*>?|%\w+%`)
	// How languages print a value that is not set.
	nothing = compile(`(?:^|[/:@])(None|Null|NULL|Nil)(?:$|[/:@])`)
	// What ko replaces by the image that it builds.
	importPath = compile(`^ko://.*`)
	// Parts of a name that stand for what a person or a script has to write there. Tags may be in capitals.
	capitals = compile(`^(?:[^@]*/)?([A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+|(?:MY|YOUR)?(?:` +
		`OWNER|ORG|ORGANI[SZ]ATION|USER|USERNAME|REPO|REPOSITORY|REGISTRY|IMAGE|IMAGENAME|NAME|NAMESPACE|PROJECT|PROJECTID|ACCOUNT|` +
		`PLACEHOLDER|REPLACEME|REPLACE|CHANGEME|TODO|FIXME|TBD|XXX+|HOST|APP|APPNAME|DOCKERHUB|DOCKERID))(?:$|[/:@])`)
	// The key of the field, once more in its value.
	doubledKey = compile(`^image:\s+`)
	scheme     = compile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	// The characters that no reference holds. A plus stands in the names of some
	// digests, brackets around IPv6 addresses.
	stranger = compile(`[^A-Za-z0-9._/:@+\[\]-]`)
	// White space beside what separates the parts of a reference.
	looseSpace = compile(`\s*([:/@])\s*`)

	tag        = compile(`^:\w[\w.-]{0,127}$`)
	port       = compile(`:[0-9]+$`)
	component  = compile(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$`)
	identifier = compile(`^[0-9a-f]{64}$`)
)

func isID(text string) bool { return identifier.MatchString(text) }

func found(holds func(string) bool) func(string) (string, bool) {
	return func(text string) (string, bool) { return "", holds(text) }
}

func badDigest(text string) (string, bool) {
	p := split(text)
	_, err := reference.Parse("a@" + p.digest)
	return p.digest, p.digested && err != nil
}

func badPort(text string) (string, bool) {
	host := strings.TrimSuffix(split(text).host, "/")
	colon := strings.LastIndexByte(host, ':')
	if colon < 0 || strings.HasSuffix(host, "]") {
		return "", false
	}
	return host[colon+1:], !port.MatchString(host)
}

func badHost(text string) (string, bool) {
	host := split(text).host
	_, err := reference.Parse(host + "a")
	return strings.TrimSuffix(host, "/"), host != "" && err != nil
}

func badTag(text string) (string, bool) {
	written := split(text).tag
	return strings.TrimPrefix(written, ":"), written != "" && !tag.MatchString(written)
}

func upperCase(text string) (string, bool) {
	name := split(text).name
	return name, strings.ToLower(name) != name
}

func tooLong(text string) bool {
	return len(split(text).name) > reference.RepositoryNameTotalLengthMax-len("library/")
}

func badPart(text string) (string, bool) {
	for part := range strings.SplitSeq(split(text).name, "/") {
		if !component.MatchString(part) {
			return part, true
		}
	}
	return "", false
}

// pieces are the parts of a reference, joined again by host + name + tag + @ + digest.
type pieces struct {
	host   string // of the registry, with the slash after it; empty where there is none
	name   string
	tag    string // with its colon
	digest string
	// digested tells an empty digest from none.
	digested bool
}

// split takes a reference apart where the library does, readable or not.
func split(text string) pieces {
	var p pieces
	text, p.digest, p.digested = strings.Cut(text, "@")
	host, rest, ok := strings.Cut(text, "/")
	if ok && (host == "localhost" || strings.ContainsAny(host, ".:") || strings.ToLower(host) != host) {
		p.host, text = host+"/", rest
	}
	p.name = text
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		p.name, p.tag = text[:colon], text[colon:]
	}
	return p
}
