// Package similar finds what somebody may have meant who mistyped a name.
package similar

import (
	"cmp"
	"slices"
	"strings"
)

// Words returns the words that somebody who wrote this one may have meant, the
// likeliest first.
func Words(word string, words []string) []string {
	return nearest(word, words, func(w string) bool {
		return len(word) > 2 && strings.Contains(w, word) || distance(word, w) <= len(w)/3
	})
}

// Mistyped returns the words of which this one may be a mistyped form, the likeliest first. A part of a longer word is
// none.
func Mistyped(word string, words []string) []string {
	return nearest(word, words, func(w string) bool { return distance(word, w) <= min(len(word), len(w))/3 })
}

func nearest(word string, words []string, is func(string) bool) []string {
	var like []string
	for _, w := range words {
		if is(w) {
			like = append(like, w)
		}
	}
	slices.SortStableFunc(like, func(a, b string) int {
		return cmp.Compare(distance(word, a), distance(word, b))
	})
	return like[:min(len(like), 3)]
}

// distance counts the characters to insert, drop or change to make b of a
// (Levenshtein).
func distance(a, b string) int {
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range len(b) {
			change := previous[j]
			if a[i] != b[j] {
				change++
			}
			current[j+1] = min(change, previous[j+1]+1, current[j]+1)
		}
		previous = current
	}
	return previous[len(b)]
}

// Question asks whether one of the words was meant; it is empty where none is like it.
func Question(word string, words []string) string {
	if like := Words(word, words); len(like) > 0 {
		return ": did you mean " + Either(like) + "?"
	}
	return ""
}

// Either lists words as in "a, b or c".
func Either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
