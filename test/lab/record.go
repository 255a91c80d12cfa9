package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// recordFile is in the directory of each lab. It is the first file that is
// written there and goes with the directory, which goes last.
const recordFile = "lab.json"

// Record is what is known of a lab on this machine.
type Record struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
	// Ready tells that the lab has been started to the end.
	Ready bool `json:"ready"`
	// Keep tells that it was to outlive the process that started it.
	Keep bool `json:"keep"`
	// PodsMemory is what all pods may take together, in bytes.
	PodsMemory int64 `json:"podsMemory"`
	// Anchor is the process that holds the namespaces.
	Anchor int `json:"anchor,omitempty"`
	// Owner is the process that started the lab, and Born when that process began:
	// a number alone is used again.
	Owner int    `json:"owner"`
	Born  string `json:"born"`
}

// Orphan tells whether nobody looks after the lab any more: whoever started it
// has ended, and neither stopped it nor left it running on purpose.
func (r Record) Orphan() bool {
	left := r.Keep && r.Ready // on purpose
	return !left && born(r.Owner) != r.Born
}

// List returns the labs of this machine.
func List(base string) ([]Record, error) {
	if base == "" {
		base = defaultBase
	}
	files, err := filepath.Glob(filepath.Join(base, "*", recordFile))
	if err != nil {
		return nil, fmt.Errorf("listing the labs: %w", err)
	}
	var all []Record
	for _, file := range files {
		r, err := readRecord(filepath.Dir(file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // stopped in the meantime
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Starting tells whether somebody is starting the lab right now.
func (r Record) Starting() bool { return !r.Ready && !r.Orphan() }

func readRecord(dir string) (Record, error) {
	text, err := os.ReadFile(filepath.Join(dir, recordFile))
	if err != nil {
		return Record{}, fmt.Errorf("reading the record of a lab: %w", err)
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return Record{}, fmt.Errorf("reading the record of the lab in %s: %w", dir, err)
	}
	return r, nil
}

func (r Record) write(dir string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the record of lab %s: %w", r.Name, err)
	}
	partial := filepath.Join(dir, recordFile+".partial")
	if err := os.WriteFile(partial, text, 0o600); err != nil {
		return fmt.Errorf("writing the record of lab %s: %w", r.Name, err)
	}
	if err := os.Rename(partial, filepath.Join(dir, recordFile)); err != nil {
		return fmt.Errorf("writing the record of lab %s: %w", r.Name, err)
	}
	return nil
}

// ErrExists tells that there is a lab of that name.
var ErrExists = errors.New("there is a lab of that name already")

// claim takes a name and a free number, and makes the lab's directory.
func claim(o Options) (Record, error) {
	if err := os.MkdirAll(o.Base, 0o700); err != nil {
		return Record{}, fmt.Errorf("making the directory of the labs: %w", err)
	}
	unlock, err := lock(o.Base)
	if err != nil {
		return Record{}, err
	}
	defer unlock()
	all, err := List(o.Base)
	if err != nil {
		return Record{}, err
	}
	r := Record{Name: o.Name, Number: -1, Keep: o.Keep, PodsMemory: o.PodsMemory, Owner: os.Getpid(), Born: born(os.Getpid())}
	taken := map[int]bool{}
	for _, other := range all {
		taken[other.Number] = true
		if other.Name == o.Name {
			return Record{}, fmt.Errorf("lab %s: %w", o.Name, ErrExists)
		}
	}
	for n := maxLabs - 1; n >= 0; n-- {
		if !taken[n] {
			r.Number = n
		}
	}
	if r.Number < 0 {
		return Record{}, fmt.Errorf("there are %d labs already", maxLabs)
	}
	dir := filepath.Join(o.Base, o.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Record{}, fmt.Errorf("making the directory of lab %s: %w", o.Name, err)
	}
	return r, r.write(dir)
}

// lock keeps other processes from claiming at the same time.
func lock(base string) (unlock func(), err error) {
	file, err := os.Open(base)
	if err != nil {
		return nil, fmt.Errorf("opening the directory of the labs: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("locking the directory of the labs: %w", err), file.Close())
	}
	return func() { _ = file.Close() }, nil // closing unlocks
}

// born is when a process began, in the kernel's own count; empty where there is
// no such process.
func born(pid int) string {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return ""
	}
	// The name is in brackets and may hold anything; field 22 is the 20th after it.
	_, rest, _ := strings.Cut(string(text), ") ")
	if fields := strings.Fields(rest); len(fields) > 19 {
		return fields[19]
	}
	return ""
}
