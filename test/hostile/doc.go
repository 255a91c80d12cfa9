// Package hostile gives forestall what nobody should send: to the webhook as an
// API server would, to an audit as files. There is an answer each time, and what
// is wrong in one place hides no finding of another.
package hostile
