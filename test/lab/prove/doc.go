// Package prove runs the proofs of the rules in a lab.
package prove
