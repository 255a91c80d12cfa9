package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/forestall/forestall/test/bench/shapes"
	"github.com/forestall/forestall/webhook"
)

// The soak sends so many requests, and looks at the server after each part of them.
const (
	soakRequests    = 100_000
	soakParts       = 10
	soakConnections = 8
)

// writeSoak sends requests of every shape in turn, and tells what the server takes
// meanwhile.
func writeSoak(ctx context.Context, b *strings.Builder, o options) error {
	if !o.measures("soak") {
		return nil
	}
	s, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	mixed, err := mixedRequests()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## %d requests\n\nEvery shape of the first table in turn, over %d connections, to a new server.\n\n",
		soakRequests, soakConnections)
	b.WriteString("| requests | memory, MiB | goroutines |\n|---|---|---|\n")
	client := s.client(soakConnections)
	defer client.CloseIdleConnections()
	for part := range soakParts + 1 {
		u, err := s.usage(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| %d | %d | %d |\n", part*soakRequests/soakParts, u.Resident>>20, u.Goroutines)
		if part == soakParts {
			break
		}
		fmt.Fprintf(os.Stderr, "soaking: %d of %d requests…\n", part*soakRequests/soakParts, soakRequests)
		from := part * soakRequests / soakParts
		if err := send(ctx, s.url, client, mixed, from, from+soakRequests/soakParts); err != nil {
			return err
		}
	}
	return nil
}

// send sends the requests of a range over several connections, and ends at the first
// answer that is wrong.
func send(ctx context.Context, url string, client *http.Client, all []request, from, to int) error {
	errs := make([]error, soakConnections)
	var connections sync.WaitGroup
	for c := range soakConnections {
		connections.Go(func() {
			for i := from + c; i < to && errs[c] == nil; i += soakConnections {
				r := all[i%len(all)]
				errs[c] = post(ctx, client, url+webhook.ValidatePath+"?timeout=5s", r.body.With(i), r.want)
			}
		})
	}
	connections.Wait()
	return errors.Join(errs...)
}

type request struct {
	body shapes.Numbered
	want []byte
}

func mixedRequests() ([]request, error) {
	all := make([]request, 0, len(shapes.All()))
	for _, what := range shapes.All() {
		body, err := what.Body()
		if err != nil {
			return nil, err
		}
		all = append(all, request{body, what.Verdict()})
	}
	return all, nil
}
