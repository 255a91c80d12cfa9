// Package image builds the container images of a lab from files of this
// machine, programs of this repository and packages of Debian: no registry is
// asked for anything.
package image
