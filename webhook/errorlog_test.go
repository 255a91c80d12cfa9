package webhook

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
)

// TestErrorsOfConnectionsFillNoLog: of thousands of failed handshakes one each second is told.
func TestErrorsOfConnectionsFillNoLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines []string
		told := newErrorLog(funcr.New(func(_, line string) { lines = append(lines, line) }, funcr.Options{}))
		for second := range 3 {
			for i := range 1000 {
				told.Printf("http: TLS handshake error from 10.0.0.%d: EOF %d", second, i)
			}
			time.Sleep(time.Second)
		}
		var want []string
		for second := range 3 {
			want = append(want, fmt.Sprintf(`"level"=0 "msg"="Serving a connection" "why"="http: TLS handshake error from 10.0.0.%d: EOF 0"`, second))
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
