package main

import (
	"sync"
	"time"

	"github.com/go-logr/logr"
)

// everyMinute is how often the same message is logged.
const everyMinute = time.Minute

// maxMessages bounds the messages that are remembered: those of a library are few.
const maxMessages = 256

// unrepeated returns a Logger that passes the same message on once a minute. It is for libraries that
// tell of every attempt: without an API server, that of certificates makes one in each second.
func unrepeated(log logr.Logger) logr.Logger {
	if log.GetSink() == nil {
		return log
	}
	return log.WithSink(repeatedSink{log.GetSink(), &messages{last: map[string]time.Time{}}})
}

// messages tell when each of them was logged last.
type messages struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// again reports whether the message was logged less than a minute ago.
func (m *messages) again(message string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last, ok := m.last[message]; ok && time.Since(last) < everyMinute {
		return true
	}
	if len(m.last) >= maxMessages {
		clear(m.last)
	}
	m.last[message] = time.Now()
	return false
}

// repeatedSink leaves out what was logged a moment ago. Errors are not left out.
type repeatedSink struct {
	logr.LogSink
	messages *messages
}

// Info logs a message, unless it is there already.
func (s repeatedSink) Info(level int, message string, values ...any) {
	if s.Enabled(level) && !s.messages.again(message) {
		s.LogSink.Info(level, message, values...)
	}
}

// WithValues returns a sink that adds these values.
func (s repeatedSink) WithValues(values ...any) logr.LogSink {
	return repeatedSink{s.LogSink.WithValues(values...), s.messages}
}

// WithName returns a sink that adds this name.
func (s repeatedSink) WithName(name string) logr.LogSink {
	return repeatedSink{s.LogSink.WithName(name), s.messages}
}
