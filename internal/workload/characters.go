package workload

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

func isLowerAlphanumeric(c byte) bool { return isLower(c) || isDigit(c) }

func isLowerHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' }

func isHex(c byte) bool { return isLowerHex(c) || 'A' <= c && c <= 'F' }

// isWord is \w of a regular expression.
func isWord(c byte) bool { return isAlphanumeric(c) || c == '_' }

// all reports whether every byte of the text is in the class; so it is of "".
func all(text string, class func(byte) bool) bool {
	for i := range len(text) {
		if !class(text[i]) {
			return false
		}
	}
	return true
}
