//go:build !race

package review_test

const raced = false
