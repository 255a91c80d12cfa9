//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// atOnce opens a file without waiting: a FIFO that somebody puts in the place of a file would
// wait for a writer.
const atOnce = syscall.O_NONBLOCK

// keepOwner gives a file the owner and group of another.
func keepOwner(file *os.File, like fs.FileInfo) error {
	owner, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if own, ok := info.Sys().(*syscall.Stat_t); ok && own.Uid == owner.Uid && own.Gid == owner.Gid {
		return nil
	}
	return file.Chown(int(owner.Uid), int(owner.Gid))
}
