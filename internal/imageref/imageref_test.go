package imageref

import (
	"errors"
	"strings"
	"testing"

	"github.com/distribution/reference"
)

func TestParse(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	for text, want := range map[string]Reference{
		"nginx":                            {Domain: "docker.io", Path: "library/nginx"},
		"nginx:1.29":                       {Domain: "docker.io", Path: "library/nginx", Tag: "1.29"},
		"docker.io/nginx:1.29":             {Domain: "docker.io", Path: "library/nginx", Tag: "1.29"},
		"index.docker.io/nginx":            {Domain: "docker.io", Path: "library/nginx"},
		"team/web:V1_2-rc.1":               {Domain: "docker.io", Path: "team/web", Tag: "V1_2-rc.1"},
		"a__b/c--d.e_f":                    {Domain: "docker.io", Path: "a__b/c--d.e_f"},
		"localhost/web":                    {Domain: "localhost", Path: "web"},
		"localhost:5000/web":               {Domain: "localhost:5000", Path: "web"},
		"registry.example.com:5000/a/b":    {Domain: "registry.example.com:5000", Path: "a/b"},
		"Registry/web":                     {Domain: "Registry", Path: "web"},
		"[::1]:5000/web":                   {Domain: "[::1]:5000", Path: "web"},
		"nginx@" + digest:                  {Domain: "docker.io", Path: "library/nginx", Digest: digest},
		"nginx:1.29@" + digest:             {Domain: "docker.io", Path: "library/nginx", Tag: "1.29", Digest: digest},
		"registry.example.com/a@" + digest: {Domain: "registry.example.com", Path: "a", Digest: digest},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                              "invalid reference format",
		"Nginx":                         "invalid reference format: repository name (library/Nginx) must be lowercase",
		strings.Repeat("a", 64):         "invalid repository name (" + strings.Repeat("a", 64) + "), cannot specify 64-byte hexadecimal strings",
		"a/" + strings.Repeat("b", 254): "repository name must not be more than 255 characters",
		strings.Repeat("a", 2049):       "the reference is too long to be read",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("Parse(%.80q): %v, want %s", text, err, want)
		}
	}
	if _, err := Parse(strings.Repeat("a", 2049)); !errors.Is(err, ErrTooLong) {
		t.Errorf("%v is not ErrTooLong", err)
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]struct {
		familiar string
		mutable  bool
	}{
		"nginx":                            {"nginx", true},
		"docker.io/library/nginx:latest":   {"nginx", true},
		"library/a/b:1":                    {"library/a/b", false},
		"team/web:LATEST":                  {"team/web", false},
		"registry.example.com/library/web": {"registry.example.com/library/web", true},
		"nginx:latest@sha256:" + strings.Repeat("a", 64): {"nginx", false},
	} {
		r, err := Parse(text)
		if err != nil || r.FamiliarName() != want.familiar || r.Mutable() != want.mutable {
			t.Errorf("%s: %+v, %v: %q, mutable %t, want %+v", text, r, err, r.FamiliarName(), r.Mutable(), want)
		}
	}
}

// FuzzPlain: what is taken apart without the library is what the library makes of it.
func FuzzPlain(f *testing.F) {
	digest := "@sha256:" + strings.Repeat("a", 64)
	for _, text := range []string{
		"nginx", "nginx:1", "a/b:c", "localhost/a", "a.b/c", "a:1/b", "index.docker.io/a", "docker.io/a", "docker.io/library/a/b",
		"a" + digest, "a:b" + digest, "a--b__c.d_e", "a..b", "a-.b/c", "-a.b/c", "a:/b", "a:", "a@", "A/b", "a/B", "a.b:1/c:d" + digest,
		"a/", "/a", "a//b", "a.b./c", "a:b:c", "a___b", strings.Repeat("a", 64), strings.Repeat("a", 256), "a:" + strings.Repeat("b", 129), "a:-b", "é/a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxLength {
			return
		}
		got, ok := plain(text)
		if !ok {
			return
		}
		want, err := parse(text)
		if err != nil || got != want {
			t.Fatalf("plain(%q) = %+v, the library says %+v, %v", text, got, want, err)
		}
		named, err := reference.ParseNormalizedNamed(text)
		if err != nil || got.FamiliarName() != reference.FamiliarName(named) || got.Name() != named.Name() {
			t.Fatalf("%q is %q or %q", text, got.Name(), got.FamiliarName())
		}
	})
}

// BenchmarkParse compares the two ways for a reference as most are.
func BenchmarkParse(b *testing.B) {
	const text = "registry.example.com/shop/web:1.4.2"
	for name, parse := range map[string]func(string) (Reference, error){"plain": Parse, "library": parse} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
