package workload

import (
	"strings"
	"testing"
)

// TestIsLatest holds the rule of the API server; the expected values were
// compared with github.com/distribution/reference v0.6.0.
func TestIsLatest(t *testing.T) {
	sha256 := "@sha256:" + strings.Repeat("a", 64)
	for image, want := range map[string]bool{
		"nginx":                                 true,
		"nginx:latest":                          true,
		"library/nginx":                         true,
		"nginx:1.27":                            false,
		"nginx:latest-alpine":                   false,
		"nginx:Latest":                          false,
		"nginx" + sha256:                        false,
		"nginx:1.27" + sha256:                   false,
		"nginx:latest" + sha256:                 true,
		"nginx:latest@sha256:abc":               false, // the digest is too short
		"nginx:latest@md5:" + sha256[8:40]:      false, // the algorithm is not known
		"nginx:latest@sha512:" + sha256[8:]:     false,
		"localhost/app":                         true,
		"localhost:5000/app":                    true,
		"registry.example.com:5000/a/b":         true,
		"registry.example.com:5000/a/b:1":       false,
		"registry.example.com:port/a":           false,
		"[::1]:5000/a":                          true,
		"[::1/a":                                false,
		"Registry/a":                            true, // upper case: a host name
		"foo_bar.example/a":                     true, // no host name, but a path
		"foo_bar.example:5000/a":                false,
		"index.docker.io/nginx":                 true,
		"a__b/c--d.e_f":                         true,
		"a___b":                                 false,
		"a..b":                                  false,
		"-a":                                    false,
		"a-":                                    false,
		"a//b":                                  false,
		"Nginx":                                 false,
		"":                                      false,
		" nginx":                                false,
		"nginx:":                                false,
		"nginx@":                                false,
		"${IMAGE}":                              false,
		"{{ .Values.image }}":                   false,
		"https://registry.example.com/a":        false,
		strings.Repeat("a", 64):                 false, // an image ID
		strings.Repeat("a", 63):                 true,
		"a.example/" + strings.Repeat("a", 255): true,
		"a.example/" + strings.Repeat("a", 256): false,
		"nginx:" + strings.Repeat("a", 129) + sha256: false,
	} {
		if got := isLatest(image); got != want {
			t.Errorf("isLatest(%q) = %v", image, got)
		}
	}
}
