//go:build race

package review_test

// raced says that the race detector makes everything ten times as slow.
const raced = true
