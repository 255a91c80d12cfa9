// Package policy loads the Rego rules, holds their catalogue and evaluates them.
// It is the only package that knows OPA.
package policy

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"k8s.io/utils/lru"

	"github.com/forestall/forestall/internal/cluster"
)

// rulesRef is the package in which every folder is a rule.
var rulesRef = ast.MustParseRef("data.forestall.rules")

// maxTogether bounds the entries of Engine.together.
const maxTogether = 256

// Engine holds compiled rules. It is immutable and safe for concurrent use.
type Engine struct {
	rules   []Rule
	queries map[string]rego.PreparedEvalQuery
	reads   map[string]*reads // of the input, by rule
	input   *form
	// together keeps what the rules of a list read, by the ids in the list: the same few lists
	// come again and again.
	together *lru.Cache
}

// Load compiles every .rego file of fsys except tests and prepares one query for
// each rule. Compiling is strict and checks input against the schema at
// schemas/input.json. It fails on the first set of errors, each with file and line.
func Load(ctx context.Context, fsys fs.FS) (*Engine, error) {
	modules, err := parse(fsys)
	if err != nil {
		return nil, err
	}
	schemas, err := loadSchemas(fsys)
	if err != nil {
		return nil, err
	}
	c := ast.NewCompiler().
		WithCapabilities(capabilities()).
		WithStrict(true).
		WithSchemas(schemas).
		WithUseTypeCheckAnnotations(true)
	c.Compile(modules)
	if c.Failed() {
		return nil, fmt.Errorf("compiling the rules: %w", c.Errors)
	}
	rules, err := catalogue(c)
	if err != nil {
		return nil, err
	}
	queries, err := prepare(ctx, c, rules)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		rules: rules, queries: queries, input: formOf(reflect.TypeFor[Input]()), together: lru.New(maxTogether),
		reads: make(map[string]*reads, len(rules)),
	}
	followed := flowOf(c)
	for _, r := range rules {
		e.reads[r.ID] = followed.readsOf(r.ID)
	}
	return e, nil
}

// Rules returns the catalogue, sorted by id.
func (e *Engine) Rules() []Rule { return slices.Clone(e.rules) }

// read returns everything that one or more of these rules read.
func (e *Engine) read(rules []Rule) *reads {
	var ids strings.Builder
	for _, r := range rules {
		ids.WriteString(r.ID)
		ids.WriteByte(' ')
	}
	if known, ok := e.together.Get(ids.String()); ok {
		return known.(*reads)
	}
	all := &reads{}
	for _, r := range rules {
		if e.reads[r.ID] == nil {
			continue // asking it is the error
		}
		all.add(e.reads[r.ID])
	}
	e.together.Add(ids.String(), all)
	return all
}

// ClusterParts returns the parts of Input.Cluster that one or more of these rules read.
func (e *Engine) ClusterParts(rules []Rule) cluster.Parts { return e.read(rules).cluster() }

// Anonymous reports whether a rule finds the same in objects that are alike but for their names
// and senders: it reads neither of these, nor the object as it was submitted.
func (e *Engine) Anonymous(rule string) bool {
	read, ok := e.reads[rule]
	return ok && read.anonymous()
}

func parse(fsys fs.FS) (map[string]*ast.Module, error) {
	modules := map[string]*ast.Module{}
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !strings.HasSuffix(path, ".rego") || strings.HasSuffix(path, "_test.rego") {
			return nil
		}
		src, err := fs.ReadFile(fsys, path)
		if err != nil {
			return err
		}
		m, err := ast.ParseModuleWithOpts(path, string(src), ast.ParserOptions{
			ProcessAnnotation: true,
			Capabilities:      capabilities(),
			RegoVersion:       ast.RegoV1,
		})
		if err != nil {
			return err
		}
		modules[path] = m
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	return modules, nil
}

func prepare(ctx context.Context, c *ast.Compiler, rules []Rule) (map[string]rego.PreparedEvalQuery, error) {
	queries := make(map[string]rego.PreparedEvalQuery, len(rules))
	for _, r := range rules {
		ref := rulesRef.Append(ast.StringTerm(r.ID)).Append(ast.StringTerm("report"))
		q, err := rego.New(
			rego.ParsedQuery(ast.NewBody(ast.NewExpr(ast.NewTerm(ref)))),
			rego.Compiler(c),
			rego.Capabilities(capabilities()),
		).PrepareForEval(ctx)
		if err != nil {
			return nil, fmt.Errorf("preparing rule %s: %w", r.ID, err)
		}
		queries[r.ID] = q
	}
	return queries, nil
}
