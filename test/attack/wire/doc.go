// Package wire has clients that speak HTTP as an attacker would: they open streams and reset them,
// read nothing, and stop in the middle. An ordinary client does none of that.
package wire
