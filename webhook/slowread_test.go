package webhook

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
	"github.com/forestall/forestall/test/attack/wire"
)

// target is the admission port of a Server for those who attack it.
func (r *running) target() wire.Target {
	return wire.Target{Address: strings.TrimPrefix(strings.Replace(r.url, "localhost", "127.0.0.1", 1), "https://")}
}

// dial2 connects with HTTP/2; window is what the server may send of each answer.
func dial2(t *testing.T, r *running, window uint32) *wire.HTTP2 {
	t.Helper()
	c, err := r.target().HTTP2(t.Context(), window)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the server may have closed it
	return c
}

// heapBytes is what is referred to, in bytes.
func heapBytes() int64 {
	runtime.GC()
	runtime.GC() // what pools keep is dropped by the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestAnswersThatNobodyReadsHoldNoRequest posts large reviews whose bytes are in another place
// each time, and lets the server send nothing of its answers. While they wait to be sent, neither
// the request nor what was made of it is in memory.
func TestAnswersThatNobodyReadsHoldNoRequest(t *testing.T) {
	const reviews, size = 40, 3 << 20
	filler := strings.Repeat("x", size)
	// The answer does not fit into the buffer of a stream: the handler itself waits to send it.
	long := review.Decision{Findings: slices.Repeat([]finding.Finding{{Rule: "long", Level: finding.Deny, Reason: strings.Repeat("y", 200)}}, 100)}
	for name, body := range map[string]string{
		"object":    strings.Replace(create, `"object":{`, `"object":{"filler":"`+filler+`",`, 1),
		"oldObject": strings.Replace(create, `"object":{`, `"oldObject":{"filler":"`+filler+`"},"object":{`, 1),
		"options":   strings.Replace(create, `"object":{`, `"options":{"filler":"`+filler+`"},"object":{`, 1),
		"user":      strings.Replace(create, `"object":{`, `"userInfo":{"groups":["`+filler+`"]},"object":{`, 1),
		"name":      strings.Replace(create, `"object":{`, `"name":"`+filler+`","object":{`, 1),
		"uid":       strings.Replace(create, `"a-uid"`, `"`+filler+`"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if len(body) < size {
				t.Fatalf("the filler found no place in %.200s", body)
			}
			r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: decides(long)})}})
			eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
			before := heapBytes()
			start := time.Now()
			var c *wire.HTTP2
			for i := range reviews {
				if i%maxStreams == 0 {
					c = dial2(t, r, 0)
				}
				if err := c.Post(ValidatePath, []byte(body)); err != nil {
					t.Fatal(err)
				}
				eventually(t, func() bool { s := c.Seen(); return s.Headers+s.Resets > i%maxStreams })
			}
			if took := time.Since(start); took > 8*time.Second {
				t.Skip("the machine is too slow: the first answers are given up by now", took)
			}
			if grown := heapBytes() - before; grown > reviews*size/4 {
				t.Errorf("%d reviews of %d MiB hold %d MiB", reviews, size>>20, grown>>20)
			} else {
				t.Log(fmt.Sprint(grown>>10, " KiB"))
			}
			if body, err := r.review(); err != nil || !strings.Contains(body, `"decision":"deny"`) {
				t.Errorf("somebody else gets %s, %v", body, err)
			}
		})
	}
}

// TestAnswersThatNobodyReadsAreGivenUp: after a while the server drops them, and in HTTP/1.1 the connection.
func TestAnswersThatNobodyReadsAreGivenUp(t *testing.T) {
	t.Parallel()
	long := review.Decision{Findings: slices.Repeat([]finding.Finding{{Rule: "long", Level: finding.Deny, Reason: strings.Repeat("y", 200)}}, 100)}
	r := run(t, ServerOptions{Options: Options{Admission: Always(Admission{Reviewer: decides(long)}), Timeout: 100 * time.Millisecond}})
	eventually(t, func() bool { return r.probe(t, "/readyz") == http.StatusOK })
	streams := dial2(t, r, 0)
	for range maxStreams {
		if err := streams.Post(ValidatePath, []byte(create)); err != nil {
			t.Fatal(err)
		}
	}
	one, err := r.target().HTTP1(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close() //nolint:errcheck // the server has closed it
	request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", ValidatePath, len(create), create)
	if err := one.SetWriteDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for err == nil { // until the kernel keeps no more answers, and the server waits
		_, err = io.WriteString(one, request)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the server has not closed the connection of HTTP/1.1")
	}
	eventually(t, func() bool { return streams.Seen().Resets == maxStreams })
}
