package policy

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/forestall/forestall/internal/quantity"
	"github.com/forestall/forestall/internal/similar"
)

// Param is one parameter of a rule.
type Param struct {
	Type        ParamType `json:"type"`
	Default     any       `json:"default"`
	Description string    `json:"description"`
}

// ParamType says what values a parameter takes.
type ParamType string

// The types of parameters.
const (
	String ParamType = "string"
	// Quantity is a Kubernetes quantity such as 256Mi, or empty. Rules see it as
	// {text, bytes}, so that none has to parse one.
	Quantity ParamType = "quantity"
	Integer  ParamType = "integer"
	Boolean  ParamType = "boolean"
)

func paramTypes() []ParamType { return []ParamType{String, Quantity, Integer, Boolean} }

// QuantityParam is a parameter of type quantity as rules see it.
type QuantityParam struct {
	Text  string `json:"text"`
	Bytes int64  `json:"bytes"`
}

// Params returns the parameters in force: the defaults of the rules with the
// overrides on top. Keys are rule ids, then parameter names. Every override that
// no rule has, and every value of the wrong type, is an error.
func Params(rules []Rule, overrides map[string]map[string]any) (map[string]map[string]any, error) {
	params := make(map[string]map[string]any, len(rules))
	var errs []error
	for _, r := range rules {
		values := make(map[string]any, len(r.Params))
		for name, p := range r.Params {
			given, ok := overrides[r.ID][name]
			if !ok {
				given = p.Default
			}
			v, err := p.Type.convert(given)
			if err != nil {
				errs = append(errs, fmt.Errorf("rules.%s.params.%s: %w", r.ID, name, err))
				continue
			}
			values[name] = v
		}
		params[r.ID] = values
		errs = append(errs, unknownParams(r, overrides[r.ID])...)
	}
	for id := range overrides {
		if _, ok := params[id]; !ok {
			errs = append(errs, fmt.Errorf("rules.%s: there is no such rule%s", id, similar.Question(id, slices.Sorted(maps.Keys(params)))))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return params, errors.Join(errs...)
}

func unknownParams(r Rule, given map[string]any) []error {
	var errs []error
	for name := range given {
		if _, ok := r.Params[name]; !ok {
			question := similar.Question(name, slices.Sorted(maps.Keys(r.Params)))
			errs = append(errs, fmt.Errorf("rules.%s.params.%s: the rule has no such parameter%s", r.ID, name, question))
		}
	}
	return errs
}

func (t ParamType) convert(v any) (any, error) {
	ok := false
	switch t {
	case Quantity:
		return quantityParam(v)
	case String:
		_, ok = v.(string)
	case Boolean:
		_, ok = v.(bool)
	case Integer:
		return integer(v)
	default:
		return nil, fmt.Errorf("unknown type %q: it is one of %q", t, paramTypes())
	}
	if !ok {
		return nil, fmt.Errorf("%v is not of type %s", v, t)
	}
	return v, nil
}

func quantityParam(v any) (QuantityParam, error) {
	text, ok := v.(string)
	if !ok {
		return QuantityParam{}, fmt.Errorf("%v is not a quantity such as 256Mi", v)
	}
	if text == "" {
		return QuantityParam{}, nil
	}
	if quantity.Huge([]byte(text)) {
		return QuantityParam{}, fmt.Errorf("%.40q is not a quantity such as 256Mi", text)
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return QuantityParam{}, fmt.Errorf("%q is not a quantity such as 256Mi: %w", text, err)
	}
	return QuantityParam{Text: text, Bytes: quantity.Value(q)}, nil
}

// integer returns a number as files, METADATA and Go code hold it.
func integer(v any) (int64, error) {
	switch n := v.(type) {
	case int:
		return int64(n), nil
	case int64:
		return n, nil
	case uint64:
		if n <= math.MaxInt64 {
			return int64(n), nil
		}
	case float64:
		if n == float64(int64(n)) {
			return int64(n), nil
		}
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%v is not of type %s", v, Integer)
}

// isNumber reports whether facts are compared with parameters of this type.
func (t ParamType) isNumber() bool { return t == Integer || t == Quantity }

// numbers returns the parameters in force that facts can be compared with.
func numbers(params map[string]any) map[string]int64 {
	all := make(map[string]int64, len(params))
	for name, v := range params {
		switch n := v.(type) {
		case int64:
			all[name] = n
		case QuantityParam:
			all[name] = n.Bytes
		}
	}
	return all
}
