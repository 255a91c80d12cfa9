package helm

import (
	"maps"
	"reflect"

	"github.com/Masterminds/sprig/v3"
)

// chance are the functions of templates that give something else each time.
func chance() []string {
	return []string{
		"now", "date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone", "ago",
		"randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4",
		"keys", "values", // of a map, in any order
		"htpasswd", "bcrypt", "encryptAES", "genPrivateKey", "genCA", "genCAWithKey",
		"genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey",
	}
}

// draws are what templates have drawn, so that a second rendering of them draws the same. The zero value has drawn nothing.
type draws struct {
	drawn map[string][][]reflect.Value
}

// functions returns the functions that draw, and remember it.
func (d *draws) functions() map[string]any {
	d.drawn = map[string][][]reflect.Value{}
	return wrapped(func(name string, draw reflect.Value, args []reflect.Value) []reflect.Value {
		got := called(draw, args)
		d.drawn[name] = append(d.drawn[name], got)
		return got
	})
}

// again returns functions that give what was drawn, in the same order.
func (d *draws) again() map[string]any {
	rest := maps.Clone(d.drawn)
	return wrapped(func(name string, draw reflect.Value, args []reflect.Value) []reflect.Value {
		if len(rest[name]) == 0 {
			return called(draw, args)
		}
		got := rest[name][0]
		rest[name] = rest[name][1:]
		return got
	})
}

func wrapped(call func(name string, draw reflect.Value, args []reflect.Value) []reflect.Value) map[string]any {
	known := sprig.TxtFuncMap()
	all := map[string]any{}
	for _, name := range chance() {
		draw := reflect.ValueOf(known[name])
		all[name] = reflect.MakeFunc(draw.Type(), func(args []reflect.Value) []reflect.Value { return call(name, draw, args) }).Interface()
	}
	return all
}

func called(draw reflect.Value, args []reflect.Value) []reflect.Value {
	if draw.Type().IsVariadic() {
		return draw.CallSlice(args)
	}
	return draw.Call(args)
}
