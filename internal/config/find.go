package config

import (
	"os"
	"path/filepath"
)

// FileName is the name of the configuration that commands find by themselves.
const FileName = ".forestall.yaml"

// Find returns the path of the nearest FileName: in the folder, or in one of those around it. It
// looks no further than the folder that holds a repository (.git), since what is around that is no
// part of the project, and may be somebody else's. It returns an empty path where there is none.
func Find(folder string) string {
	for {
		path := filepath.Join(folder, FileName)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
		_, err := os.Lstat(filepath.Join(folder, ".git"))
		around := filepath.Dir(folder)
		if err == nil || around == folder {
			return ""
		}
		folder = around
	}
}
