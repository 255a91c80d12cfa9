// Package explain turns decisions into the texts that people read: the message of
// a denial, one-line warnings, and the page of a rule.
package explain
