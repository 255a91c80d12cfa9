package main

import (
	"context"
	"errors"

	"github.com/forestall/forestall/test/lab"
)

// ensure returns the lab of a name: the one that is running, or a new one. What
// is left of one that is not running is removed first.
func ensure(ctx context.Context, o lab.Options) (*lab.Lab, error) {
	l, err := lab.Start(ctx, o)
	if !errors.Is(err, lab.ErrExists) {
		return l, err
	}
	if l, err := lab.Open(o); err == nil {
		return l, nil
	}
	if err := lab.Down(ctx, o, o.Name); err != nil {
		return nil, err
	}
	return lab.Start(ctx, o)
}
