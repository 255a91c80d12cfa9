// Package load holds forestall-webhook against more than it can take: it stays within the
// memory that a cluster would give it, and answers the small requests among the large ones.
package load
