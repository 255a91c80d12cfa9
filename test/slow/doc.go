// Command slow looks for objects that keep a processor busy. It makes manifests from a grammar of pod
// fields, changes the slowest of them again and again, lets the winners grow to 3 MiB, and sends all of
// them through the webhook or an audit. The score is processor time: for each byte of the object, and for each step of its budget,
// for what takes time and no steps is not bounded by the budget.
//
// The slowest that are known stand in known.go as small generators, and are held by a test.
package main
