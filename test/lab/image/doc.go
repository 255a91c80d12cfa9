// Package image builds the container images of a lab from files of this
// machine and programs of this repository: no registry is asked for anything.
package image
