package image

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Image is a container image before it is built.
type Image struct {
	// Tags are the names that pods call it by.
	Tags []string
	// Packages are the Debian packages that are in it, with all that they depend on.
	Packages []string
	// Files are what is in it besides; they come first.
	Files []File
	// Entrypoint and Cmd are what runs where a pod says nothing else.
	Entrypoint, Cmd []string
	// Env is the environment of the process.
	Env []string
}

// Write builds the images and writes them as one archive, which containerd
// imports. Packages are downloaded to dir, which must outlast the call alone.
func Write(ctx context.Context, w io.Writer, dir string, images []Image) error {
	all := map[name.Reference]v1.Image{}
	for _, i := range images {
		built, err := i.build(ctx, dir)
		if err != nil {
			return fmt.Errorf("building image %q: %w", i.Tags, err)
		}
		for _, tag := range i.Tags {
			ref, err := name.NewTag(tag)
			if err != nil {
				return fmt.Errorf("naming an image: %w", err)
			}
			all[ref] = built
		}
	}
	if err := tarball.MultiRefWrite(all, w); err != nil {
		return fmt.Errorf("writing the images: %w", err)
	}
	return nil
}

// build makes an image of one layer, and one more where there are packages.
func (i Image) build(ctx context.Context, dir string) (v1.Image, error) {
	layer, err := layerOf(i.Files)
	if err != nil {
		return nil, err
	}
	layers := []v1.Layer{layer}
	if len(i.Packages) > 0 {
		layer, err := packagesLayer(ctx, i.Packages, filepath.Join(dir, i.Packages[0]+".tar"))
		if err != nil {
			return nil, err
		}
		layers = append(layers, layer)
	}
	built, err := mutate.AppendLayers(empty.Image, layers...)
	if err != nil {
		return nil, fmt.Errorf("adding the files: %w", err)
	}
	config, err := built.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Config = v1.Config{
		Entrypoint: i.Entrypoint, Cmd: i.Cmd,
		Env: append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/app"}, i.Env...),
	}
	return mutate.ConfigFile(built, config)
}
