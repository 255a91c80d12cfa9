package cluster

import (
	"strings"
	"sync"
)

// maxReplaced bounds how many names of images are kept, and how many bytes one may have.
const (
	maxReplaced       = 10_000
	maxReplacedLength = 2048
)

// images are the names of images that kustomizations of the files replace. The zero value holds none.
type images struct {
	mu    sync.RWMutex
	names map[string]bool
}

// ReplaceImage notes that a kustomization puts another name, tag or digest in the place of those of the images of a name.
func (s *Store) ReplaceImage(name string) {
	s.images.mu.Lock()
	defer s.images.mu.Unlock()
	if name == "" || len(name) > maxReplacedLength || len(s.images.names) >= maxReplaced {
		return
	}
	if s.images.names == nil {
		s.images.names = map[string]bool{}
	}
	s.images.names[name] = true
}

// ReplacesImage reports whether a kustomization replaces an image, which is the text that a container has. The names
// count as they are written: for kustomize, nginx is not docker.io/nginx.
func (w World) ReplacesImage(text string) bool {
	s := w.store()
	s.images.mu.RLock()
	defer s.images.mu.RUnlock()
	if len(s.images.names) == 0 {
		return false
	}
	undigested := withoutEnd(text, "@sha256:")
	return s.images.names[text] || s.images.names[undigested] ||
		s.images.names[withoutEnd(text, ":")] || s.images.names[withoutEnd(undigested, ":")]
}

// withoutEnd returns a text without the last mark and what stands behind it, if kustomize takes that for a tag or digest
// (sigs.k8s.io/kustomize/api/internal/image/image.go, IsImageMatched): braces are of tools that fill in tags.
func withoutEnd(text, mark string) string {
	at := strings.LastIndex(text, mark)
	if at < 0 || strings.ContainsFunc(text[at+len(mark):], isNoTag) {
		return text
	}
	return text[:at]
}

func isNoTag(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.{}-", r)
}
