// Package policies holds the built-in rules, as Rego, and the data that they and
// the analysers read. It is a folder that Go can embed, and nothing more.
package policies

import "embed"

// FS is the bundle: rules, their pages, the schema of the input document and
// what is known of programs, images and memory. Tests and fixtures stay outside.
//
//go:embed .manifest schemas/input.json data/images.yaml data/memory.yaml data/programs.yaml
//go:embed forestall/lib/*/*.rego forestall/main/*.rego forestall/rules/*.rego
//go:embed forestall/rules/*/rule.rego forestall/rules/*/rule.md
var FS embed.FS

// ProgramsFile is the table of known programs in FS.
const ProgramsFile = "data/programs.yaml"

// ImagesFile is the table of base images in FS.
const ImagesFile = "data/images.yaml"

// MemoryFile is the table of variables and programs that decide about memory, in FS.
const MemoryFile = "data/memory.yaml"
