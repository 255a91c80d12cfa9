package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/forestall/forestall/test/lab/image"
)

// importImages gives the lab's own images to containerd.
func (l *Lab) importImages(ctx context.Context) error {
	images, err := l.images(ctx)
	if err != nil {
		return err
	}
	if err := l.wait(ctx, "waiting for containerd", func(ctx context.Context) error {
		return l.run(ctx, l.options.Binaries.ctr(), "version")
	}); err != nil {
		return err
	}
	return l.give(ctx, images)
}

// give builds images and gives them to containerd.
func (l *Lab) give(ctx context.Context, images []image.Image) (err error) {
	dir, err := os.MkdirTemp(l.tmp(), "images-")
	if err != nil {
		return fmt.Errorf("making the archive of the images: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	archive := filepath.Join(dir, "images.tar")
	file, err := os.Create(archive)
	if err != nil {
		return fmt.Errorf("making the archive of the images: %w", err)
	}
	if err := errors.Join(image.Write(ctx, file, dir, images), file.Close()); err != nil {
		return err
	}
	if err := l.run(ctx, l.options.Binaries.ctr(), "--namespace", "k8s.io", "images", "import", archive); err != nil {
		return fmt.Errorf("importing the images: %w", err)
	}
	return nil
}

// images are what the proofs need. The names of the fixtures stand beside the
// lab's own where the content is what the name promises.
func (l *Lab) images(ctx context.Context) ([]image.Image, error) {
	busybox, err := image.Busybox(ctx, "lab.forestall.dev/busybox:1", "busybox:1.37")
	if err != nil {
		return nil, err
	}
	bash, err := image.Program("/bin/bash", "lab.forestall.dev/bash:1", "debian:13-slim")
	if err != nil {
		return nil, err
	}
	programs, err := l.buildPrograms(ctx)
	if err != nil {
		return nil, err
	}
	server, eater := filepath.Join(programs, "server"), filepath.Join(programs, "eater")
	return []image.Image{
		busybox, bash,
		{
			Tags: []string{pauseImage}, Entrypoint: []string{"/pause"},
			Files: []image.File{{Path: "/pause", Source: filepath.Join(programs, "pause")}},
		},
		{
			// With latest besides: what is on a node is not always what runs there.
			Tags: []string{"lab.forestall.dev/server:1", "lab.forestall.dev/server:latest"}, Entrypoint: []string{"/app/server"},
			// Fixtures start servers from a shell, too.
			Files: append([]image.File{{Path: "/app/server", Source: server}, {Path: "/app/check", Link: "server"}}, busybox.Files...),
		},
		{
			Tags: []string{"lab.forestall.dev/eater:1"}, Entrypoint: []string{"/app/eater"},
			// A Go program that counts its own memory, not the machine's.
			Files: []image.File{{Path: "/app/eater", Source: eater}}, Env: []string{"GOGC=off", "GOMAXPROCS=1"},
		},
	}, nil
}

// buildPrograms builds the programs of the images, static ones. The Go build
// cache makes a second time cheap.
func (l *Lab) buildPrograms(ctx context.Context) (string, error) {
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.Dir, "programs")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", dir+"/", "./test/lab/programs/...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the programs of the images: %w\n%s", err, out)
	}
	return dir, nil
}
