package webhook

import (
	"log"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
)

// errorLog takes what net/http has to say, such as failed handshakes. It tells of one each
// second: an API server that does not trust our certificate is seen, and who opens thousands of
// connections fills no log. The rest is there at debug level.
type errorLog struct {
	log   logr.Logger
	often rate.Sometimes
}

func newErrorLog(l logr.Logger) *log.Logger {
	return log.New(&errorLog{log: l, often: rate.Sometimes{Interval: time.Second}}, "", 0)
}

// Write takes one line.
func (e *errorLog) Write(line []byte) (int, error) {
	text, told := strings.TrimSuffix(string(line), "\n"), false
	e.often.Do(func() {
		told = true
		e.log.Info("Serving a connection", "why", text)
	})
	if !told {
		e.log.V(verbose).Info("Serving a connection", "why", text)
	}
	return len(line), nil
}
