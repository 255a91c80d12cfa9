package fix

import "bytes"

// The parser tells where a value begins. Where it ends is found here, by the rules
// of the scanner (go.yaml.in/yaml/v3 scannerc.go).

func quotedEnd(text []byte, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// plainEnd returns the end of a plain scalar, which may go on over several lines.
// indent is the column of the block collection around it, which continuing lines exceed.
func plainEnd(text []byte, at, indent int, flow bool) int {
	for {
		end, ended := plainInLine(text, at, flow)
		if ended {
			return end
		}
		next, ok := continued(text, end, indent, flow)
		if !ok {
			return end
		}
		at = next
	}
}

// plainInLine returns where a plain scalar ends in its line; ended is true where
// it cannot go on in the next.
func plainInLine(text []byte, at int, flow bool) (end int, ended bool) {
	end = at
	for i := at; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n' || c == '\r':
			return end, false
		case c == ' ' || c == '\t':
			continue
		case c == '#' && i > at && isBlank(text[i-1]):
			return end, true
		case c == ':' && endsKey(text, i+1, flow), flow && isFlowMark(c):
			return end, true
		}
		end = i + 1
	}
	return end, true
}

func endsKey(text []byte, at int, flow bool) bool {
	return at >= len(text) || isBlank(text[at]) || flow && isFlowMark(text[at])
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isFlowMark(c byte) bool { return bytes.IndexByte([]byte(",[]{}"), c) >= 0 }

// continued returns where a plain scalar goes on after the line of an offset.
func continued(text []byte, at, indent int, flow bool) (int, bool) {
	for {
		start, ok := nextLine(text, at)
		if !ok || start >= len(text) {
			return 0, false
		}
		at = start
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		switch {
		case at >= len(text):
			return 0, false
		case text[at] == '\n' || text[at] == '\r':
			continue
		case text[at] == '#', !flow && at-start <= indent, isMarker(text[start:]):
			return 0, false
		}
		return at, true
	}
}

func isMarker(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) && (len(line) == 3 || isBlank(line[3]))
}

// blockEnd returns the end of a block scalar whose header stands at an offset: the
// beginning of the line after its last.
func blockEnd(text []byte, at, indent int) int {
	width, keep := blockHeader(text, at, indent)
	end, ok := nextLine(text, at)
	for line := end; ok && line < len(text); {
		var next int
		next, ok = nextLine(text, line)
		body := bytes.TrimRight(text[line:next], "\r\n")
		spaces := len(body) - len(bytes.TrimLeft(body, " "))
		blank := spaces == len(body) && (width == 0 || spaces <= width)
		if !blank && width == 0 {
			width = max(spaces, indent+1, 1)
		}
		if !blank && spaces < width {
			break
		}
		if !blank || keep {
			end = next
		}
		line = next
	}
	return end
}

// blockHeader reads the indicators behind | or >: the width of the indentation, 0
// where the first line tells it, and whether blank lines at the end count.
func blockHeader(text []byte, at, indent int) (width int, keep bool) {
	for _, c := range text[at+1 : lineEnd(text, at)] {
		switch {
		case c == '+':
			keep = true
		case '1' <= c && c <= '9':
			width = max(indent, 0) + int(c-'0')
		case c != '-':
			return width, keep
		}
	}
	return width, keep
}

// aliasEnd returns the end of *name.
func aliasEnd(text []byte, at int) int {
	for at++; at < len(text) && !isBlank(text[at]) && !isFlowMark(text[at]); at++ {
	}
	return at
}

// flowEnd returns what is behind the bracket that closes a collection, searched
// from the end of its last item.
func flowEnd(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case '}', ']':
			return at + 1
		case '#':
			at = lineEnd(text, at)
		default:
			at++
		}
	}
	return at
}

// behindProperties returns where a value begins whose anchor or tag is at an offset.
func behindProperties(text []byte, at int) int {
	for at < len(text) && (text[at] == '&' || text[at] == '!') {
		at = propertyEnd(text, at)
		if next := skipBlank(text, at); next < len(text) {
			at = next
		}
	}
	return at
}

// propertyEnd returns the end of the one anchor or tag at an offset.
func propertyEnd(text []byte, at int) int {
	for at < len(text) && !isBlank(text[at]) && !isFlowMark(text[at]) {
		at++
	}
	return at
}

// skipBlank moves over white space, line breaks and comments.
func skipBlank(text []byte, at int) int {
	for at < len(text) {
		switch {
		case isBlank(text[at]):
			at++
		case text[at] == '#':
			at = lineEnd(text, at)
		default:
			return at
		}
	}
	return at
}
