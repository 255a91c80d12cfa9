package render

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

func TestBounds(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan struct{})
	defer close(never)
	tests := map[string]struct {
		ctx    context.Context
		limits limits
		do     func()
		want   string
		is     error
	}{
		"it ends":             {ctx: t.Context(), limits: limits{time: time.Minute, memory: 1 << 30}, do: func() {}},
		"it takes long":       {t.Context(), limits{time: time.Millisecond, memory: 1 << 30}, func() { <-never }, "given up: it takes longer than 1ms", ErrTooMuch},
		"nobody waits for it": {ended, limits{time: time.Minute, memory: 1 << 30}, func() { <-never }, "context canceled", context.Canceled},
		"it takes much": {t.Context(), limits{time: time.Minute, memory: 16 << 20}, func() {
			taken := make([]byte, 64<<20)
			<-never
			runtime.KeepAlive(taken)
		}, "given up: it takes more than 16 MiB of memory", ErrTooMuch},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := test.limits.run(test.ctx, test.do)
			if !errors.Is(err, test.is) || test.want != "" && err.Error() != test.want {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}
