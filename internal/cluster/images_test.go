package cluster

import (
	"fmt"
	"strings"
	"testing"
)

func TestImagesThatKustomizationsReplace(t *testing.T) {
	s := OfFiles(false)
	for _, name := range []string{"APP_IMAGE", "localhost:5000/web", "nginx", "", strings.Repeat("a", maxReplacedLength+1)} {
		s.ReplaceImage(name)
	}
	for image, want := range map[string]bool{
		"APP_IMAGE":                true,
		"APP_IMAGE:{TAG}":          true,
		"APP_IMAGE:$TAG":           false, // kustomize leaves it
		"APP_IMAGE_2":              false,
		"shop/APP_IMAGE":           false,
		"localhost:5000/web":       true,
		"localhost:5000/web:1":     true,
		"localhost:5000":           false,
		"localhost":                false,
		"nginx:1@sha256:abc":       true,
		"nginx@sha256:abc":         true,
		"nginx@sha512:abc":         false,
		"docker.io/library/nginx":  false,
		"":                         false,
		":1":                       false,
		strings.Repeat("a", 3_000): false,
	} {
		if got := (World{Store: s}).ReplacesImage(image); got != want {
			t.Errorf("ReplacesImage(%.40q) = %v, want %v", image, got, want)
		}
	}
	if (World{}).ReplacesImage("nginx") {
		t.Error("an image is replaced where there are no files")
	}
}

func TestReplacedImagesAreBounded(t *testing.T) {
	s := OfFiles(false)
	for i := range maxReplaced + 10 {
		s.ReplaceImage(fmt.Sprint("a", i))
	}
	if got := len(s.images.names); got != maxReplaced {
		t.Errorf("%d names are kept, want %d", got, maxReplaced)
	}
}
