// Command server stands in for the servers of the fixtures: it listens on one
// port, exits 0 on SIGTERM as well-behaved servers do, and falls ill when told.
//
//	PORT             8080
//	UNHEALTHY_AFTER  from then on /healthz answers 503
//	DEAF_AFTER       from then on nobody listens on the port
//
// Called as check it asks /healthz and exits 1 unless the answer is 200.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	run := serve
	if filepath.Base(os.Args[0]) == "check" {
		run = check
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	ill, err := moment("UNHEALTHY_AFTER")
	if err != nil {
		return err
	}
	deaf, err := moment("DEAF_AFTER")
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: ":" + port(), Handler: health(ill), ReadHeaderTimeout: time.Second}
	if !deaf.IsZero() {
		timer := time.AfterFunc(time.Until(deaf), func() { _ = server.Close() })
		defer timer.Stop()
	}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	select {
	case err := <-failed:
		if !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		<-ctx.Done() // deaf, but alive
		return nil
	case <-ctx.Done():
		return server.Close()
	}
}

func health(ill time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !ill.IsZero() && time.Now().After(ill) {
			http.Error(w, "ill", http.StatusServiceUnavailable)
		}
	})
}

func check() error {
	client := http.Client{Timeout: time.Second}
	resp, err := client.Get("http://127.0.0.1:" + port() + "/healthz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}

// moment is when a variable's duration will have passed; zero without one.
func moment(variable string) (time.Time, error) {
	text := os.Getenv(variable)
	if text == "" {
		return time.Time{}, nil
	}
	after, err := time.ParseDuration(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", variable, err)
	}
	return time.Now().Add(after), nil
}

func port() string {
	if p := os.Getenv("PORT"); p != "" {
		return p
	}
	return "8080"
}
