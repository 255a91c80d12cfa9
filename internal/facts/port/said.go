package port

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/budget"
)

// Said adds to numbers those that stand in the command, the arguments and the literal variables of a container, as far as
// the budget suffices. What it declares as a port of its own is not among them.
func Said(b *budget.Budget, c *corev1.Container, numbers map[int32]bool) {
	read := func(text string) {
		if !b.Spend(1 + len(text)/perStep) {
			return
		}
		for n := range Numbers(text) {
			numbers[n] = true
		}
	}
	for _, words := range [][]string{c.Command, c.Args} {
		for _, word := range words {
			read(word)
		}
	}
	for i := range c.Env {
		read(c.Env[i].Value)
	}
}
