package policy

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/open-policy-agent/opa/v1/ast"
)

// SchemaFile is the place of the input document's schema beside the rules.
const SchemaFile = "schemas/input.json"

// loadSchemas reads the schema that rules name as schema.input.
func loadSchemas(fsys fs.FS) (*ast.SchemaSet, error) {
	raw, err := fs.ReadFile(fsys, SchemaFile)
	if err != nil {
		return nil, fmt.Errorf("reading the input schema: %w", err)
	}
	var schema any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, fmt.Errorf("reading the input schema %s: %w", SchemaFile, err)
	}
	set := ast.NewSchemaSet()
	set.Put(ast.MustParseRef("schema.input"), schema)
	return set, nil
}
