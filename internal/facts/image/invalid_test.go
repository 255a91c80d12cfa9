package image_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/forestall/forestall/internal/facts/fact"
	"github.com/forestall/forestall/internal/facts/image"
)

// wrong are references with what is wrong with each. A kubelet of Kubernetes 1.36 was
// seen to report InvalidImageName for them, those of form edge apart.
func wrong() map[string]image.Invalid {
	const format = "invalid reference format"
	lower := func(name string) string { return format + ": repository name (" + name + ") must be lowercase" }
	hex := strings.Repeat("a", 64)
	long := strings.Repeat("a", 159) + "…"
	return map[string]image.Invalid{
		"nginx:1.29 ":                         {Form: image.Edge, Error: format, Meant: "nginx:1.29"},
		" nginx:":                             {Form: image.Edge, Error: format},
		"nginx:{{ .Values.tag }}":             {Form: image.Placeholder, Part: "{{ .Values.tag }}", Error: format},
		"nginx:${TAG}":                        {Form: image.Placeholder, Part: "${TAG}", Error: format},
		"$(IMAGE)":                            {Form: image.Placeholder, Part: "$(IMAGE)", Error: lower("library/$(IMAGE)")},
		"$REGISTRY/web:1":                     {Form: image.Placeholder, Part: "$REGISTRY", Error: format},
		"#{registry}#/web:1":                  {Form: image.Placeholder, Part: "#{registry}", Error: format},
		"<image>":                             {Form: image.Placeholder, Part: "<image>", Error: format},
		"None:None":                           {Form: image.Placeholder, Part: "None", Error: lower("library/None")},
		"IMAGE_PLACEHOLDER":                   {Form: image.Placeholder, Part: "IMAGE_PLACEHOLDER", Error: lower("library/IMAGE_PLACEHOLDER")},
		"ghcr.io/OWNER/app:1":                 {Form: image.Placeholder, Part: "OWNER", Error: lower("OWNER/app")},
		"reg.example.com:5000/YOUR_ORG/app:1": {Form: image.Placeholder, Part: "YOUR_ORG", Error: lower("YOUR_ORG/app")},
		"ko://github.com/a/b":                 {Form: image.Placeholder, Part: "ko://github.com/a/b", Error: format},
		"image: nginx":                        {Form: image.Character, Part: " ", Error: format, Meant: "nginx"},
		`image: "nginx:1"`:                    {Form: image.Character, Part: " ", Error: format, Meant: "nginx:1"},
		"ghcr.io/ACME/app:1":                  {Form: image.Case, Part: "ACME/app", Error: lower("ACME/app"), Meant: "ghcr.io/acme/app:1"},
		"docker://nginx:1":                    {Form: image.Scheme, Part: "docker://", Error: format, Meant: "nginx:1"},
		"https://reg.example.com/Shop/API:1":  {Form: image.Scheme, Part: "https://", Error: lower("/reg.example.com/Shop/API"), Meant: "reg.example.com/shop/api:1"},
		"nginx 1.29":                          {Form: image.Character, Part: " ", Error: format},
		"nginx: 1.29":                         {Form: image.Character, Part: " ", Error: format, Meant: "nginx:1.29"},
		"nginx\t:1":                           {Form: image.Character, Part: " ", Error: format, Meant: "nginx:1"},
		`"nginx:1"`:                           {Form: image.Character, Part: `"`, Error: format, Meant: "nginx:1"},
		"nginxé:1":                            {Form: image.Character, Part: "é", Error: format},
		"a&b":                                 {Form: image.Character, Part: "&", Error: format},
		"/shop/api:1":                         {Form: image.Slash, Error: format},
		":1.29":                               {Form: image.Name, Error: format},
		"nginx:":                              {Form: image.TagMissing, Error: format},
		"nginx:@sha256:" + hex:                {Form: image.TagMissing, Error: format},
		"nginx@":                              {Form: image.Digest, Error: format},
		"nginx@sha256:abcdef":                 {Form: image.Digest, Part: "sha256:abcdef", Error: format},
		"nginx@" + hex:                        {Form: image.Digest, Part: hex, Error: format},
		"nginx@sha256:" + strings.ToUpper(hex): {
			Form: image.Digest, Part: "sha256:" + strings.ToUpper(hex), Error: "invalid checksum digest format", Meant: "nginx@sha256:" + hex,
		},
		"nginx@md5:" + hex[:32]:    {Form: image.Digest, Part: "md5:" + hex[:32], Error: "unsupported digest algorithm"},
		hex:                        {Form: image.Identifier, Error: "invalid repository name (" + hex + "), cannot specify 64-byte hexadecimal strings"},
		"reg.example.com:port/a:1": {Form: image.Port, Part: "port", Error: format},
		"nginx:feature/login":      {Form: image.Port, Part: "feature", Error: format},
		"-reg.example.com/api:1":   {Form: image.Host, Part: "-reg.example.com", Error: format},
		"a_b.example:5000/api:1":   {Form: image.Host, Part: "a_b.example:5000", Error: format},
		"nginx:1:2":                {Form: image.Tag, Part: "1:2", Error: format},
		"nginx:1.0+build":          {Form: image.Tag, Part: "1.0+build", Error: format},
		"nginx:.1":                 {Form: image.Tag, Part: ".1", Error: format},
		"shop/api:feature/login":   {Form: image.Tag, Part: "feature/login", Error: format},
		"nginx:" + hex + hex + hex: {Form: image.Tag, Part: long, Error: format},
		"reg.example.com/Shop/api:1.0-RC1": {
			Form: image.Case, Part: "Shop/api", Error: lower("Shop/api"), Meant: "reg.example.com/shop/api:1.0-RC1",
		},
		"Nginx":                  {Form: image.Case, Part: "Nginx", Error: lower("library/Nginx"), Meant: "nginx"},
		strings.Repeat("a", 255): {Form: image.Length, Error: "repository name must not be more than 255 characters"},
		"shop//api:1":            {Form: image.Part, Error: format},
		"nginx/":                 {Form: image.Part, Error: format},
		"-nginx":                 {Form: image.Part, Part: "-nginx", Error: format},
		"shop/a___b:1":           {Form: image.Part, Part: "a___b", Error: format},
	}
}

func TestInvalid(t *testing.T) {
	for text, want := range wrong() {
		want.Observation = fact.PresentAt(at)
		f := observe(text, corev1.PullAlways)
		if diff := cmp.Diff(want, f.Invalid); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if f.Name != "" || !f.Mutable.Is(fact.Unknown) || !f.NeverPulled.Is(fact.Unknown) {
			t.Errorf("%q: more is known of it: %+v", text, f)
		}
	}
}
