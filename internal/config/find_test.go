package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/forestall/forestall/internal/config"
)

func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		files []string // those that end in a slash are folders
		from  string
		want  string
	}{
		"here":                      {files: []string{"a/.git/", "a/.forestall.yaml"}, from: "a", want: "a/.forestall.yaml"},
		"around":                    {files: []string{"a/.git/", "a/.forestall.yaml", "a/b/c/"}, from: "a/b/c", want: "a/.forestall.yaml"},
		"the nearest":               {files: []string{"a/.git/", "a/.forestall.yaml", "a/b/.forestall.yaml", "a/b/c/"}, from: "a/b/c", want: "a/b/.forestall.yaml"},
		"not beyond the repository": {files: []string{".forestall.yaml", "a/.git/", "a/b/"}, from: "a/b"},
		"not beyond a worktree":     {files: []string{".forestall.yaml", "a/.git", "a/b/"}, from: "a/b"},
		"without a repository":      {files: []string{".forestall.yaml", "a/b/"}, from: "a/b", want: ".forestall.yaml"},
		"a folder is no file":       {files: []string{".git/", "a/.forestall.yaml/"}, from: "a"},
		"none":                      {files: []string{".git/", "a/"}, from: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for _, file := range test.files {
				path := filepath.Join(root, file)
				err := os.MkdirAll(filepath.Dir(path), 0o755)
				if file[len(file)-1] == '/' {
					err = os.MkdirAll(path, 0o755)
				} else if err == nil {
					err = os.WriteFile(path, nil, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			want := ""
			if test.want != "" {
				want = filepath.Join(root, test.want)
			}
			if got := config.Find(filepath.Join(root, test.from)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
