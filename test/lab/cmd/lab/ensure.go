package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/forestall/forestall/test/lab"
)

// ensure returns the lab of a name: the one that is running, or a new one. What
// is left of one that is not running is removed first.
func ensure(ctx context.Context, o lab.Options) (*lab.Lab, error) {
	l, err := lab.Start(ctx, o)
	if !errors.Is(err, lab.ErrExists) {
		return l, err
	}
	if l, err := lab.Open(ctx, o); err == nil {
		return l, nil
	}
	records, err := lab.List(o.Base)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if r.Name == o.Name && r.Starting() {
			return nil, fmt.Errorf("lab %s is being started by process %d", r.Name, r.Owner)
		}
	}
	if err := lab.Down(ctx, o, o.Name); err != nil {
		return nil, err
	}
	return lab.Start(ctx, o)
}
