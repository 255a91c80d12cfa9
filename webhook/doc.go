// Package webhook is the admission server: HTTP in, a Decision out. It knows
// AdmissionReviews, deadlines and metrics, and nothing about rules: what is wrong
// with an object is the answer of a Reviewer.
//
// It never becomes the outage. Every request is answered within the time that the
// API server gives, from bounded memory, by a bounded number of reviews, and
// whatever goes wrong is answered by the failure mode with a message that names
// forestall.
package webhook
