// Command bench measures the webhook beside controller-runtime's cheapest handlers,
// over TLS, and writes docs/benchmarks.md. The server is a process of its own with
// one processor, so that its CPU time is that of the requests alone.
package main
