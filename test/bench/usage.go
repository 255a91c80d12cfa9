package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"syscall"
	"time"
)

// usage is what the server takes.
type usage struct {
	CPU        time.Duration // since its start
	Resident   int64         // bytes
	Goroutines int
}

func writeUsage(w http.ResponseWriter, _ *http.Request) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	u := usage{CPU: time.Duration(r.Utime.Nano() + r.Stime.Nano()), Resident: resident(), Goroutines: runtime.NumGoroutine()}
	_ = json.NewEncoder(w).Encode(u) // the client sees an answer that broke off
}

// resident is the memory of this process that is in RAM, in bytes; 0 where the
// system does not tell.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// usage asks the server what it takes.
func (s *server) usage(ctx context.Context) (usage, error) {
	c := s.client(1)
	defer c.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+usagePath, http.NoBody)
	if err != nil {
		return usage{}, err
	}
	response, err := c.Do(r)
	if err != nil {
		return usage{}, fmt.Errorf("asking the server what it takes: %w", err)
	}
	defer response.Body.Close()
	var u usage
	if err := json.NewDecoder(response.Body).Decode(&u); err != nil {
		return usage{}, fmt.Errorf("asking the server what it takes: %w", err)
	}
	return u, nil
}
