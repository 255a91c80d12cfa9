package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Stop ends everything that runs in the lab and removes all of it. It may be
// called again, and continues what an earlier call could not finish.
//
// Nothing is asked to end: pods are gone when their processes are, and what
// the node knew of them is in the lab's own namespaces and directory.
func (l *Lab) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTimeout, fmt.Errorf("it took more than %s", stopTimeout))
	defer cancel()
	if err := l.cgroups.kill(ctx); err != nil {
		return fmt.Errorf("stopping lab %s: %w", l.Name, err)
	}
	for _, r := range l.daemons {
		<-r.done
	}
	err := errors.Join(l.disconnect(ctx), l.cgroups.remove(ctx), unmountBelow(l.Dir))
	if err == nil && l.cgroups.version == 2 {
		err = takeBack(l.options.Base, l.cgroups.unified, l.Name)
	}
	if err == nil {
		err = l.forget()
	}
	if err != nil {
		return fmt.Errorf("stopping lab %s: %w", l.Name, err)
	}
	return nil
}

// forget removes the lab's directory, the record last: as long as anything is
// left, the lab is listed. The directory of all labs goes with the last one.
func (l *Lab) forget() error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the lab's directory: %w", err)
	}
	for _, e := range entries {
		if e.Name() == recordFile {
			continue
		}
		if err := os.RemoveAll(filepath.Join(l.Dir, e.Name())); err != nil {
			return fmt.Errorf("removing the lab's directory: %w", err)
		}
	}
	if err := os.RemoveAll(l.Dir); err != nil {
		return fmt.Errorf("removing the lab's directory: %w", err)
	}
	if err := os.Remove(l.options.Base); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTEMPTY) {
		return fmt.Errorf("removing the directory of the labs: %w", err)
	}
	return nil
}

// unmountBelow unmounts what somebody has mounted in a directory: removing it
// must not reach into another file system. The lab itself mounts nothing here.
func unmountBelow(dir string) error {
	file, err := os.Open("/proc/self/mounts")
	if err != nil {
		return fmt.Errorf("looking for mounts: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	var points []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) > 1 && strings.HasPrefix(f[1], dir+"/") {
			points = append([]string{f[1]}, points...) // the last mounted first
		}
	}
	for _, point := range points {
		if err := syscall.Unmount(point, 0); err != nil {
			return fmt.Errorf("unmounting %s: %w", point, err)
		}
	}
	return nil
}

// Down stops a lab that somebody else has started, in whatever state it is.
func Down(ctx context.Context, o Options, name string) error {
	if o.Base == "" {
		o.Base = defaultBase
	}
	record, err := readRecord(filepath.Join(o.Base, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := of(o, record)
	if err != nil {
		return err
	}
	return l.Stop(ctx)
}
