package review

import (
	"maps"
	"strconv"
	"strings"
)

// fields turns the path of a finding into its Field: the names of containers, volumes, ports
// and the like stand in place of their positions, so that reordering does not make an old
// finding look new.
type fields struct {
	specPath string
	names    map[string]string // of containers, volumes and the like, by path
}

func fieldsOf(j *judged) fields {
	v := j.view
	f := fields{specPath: v.SpecPath, names: make(map[string]string, len(v.Containers))}
	for i := range v.Containers {
		f.names[v.Containers[i].Path] = v.Containers[i].Name
	}
	for i := range v.PodSpec.Volumes {
		f.names[v.SpecPath+".volumes["+strconv.Itoa(i)+"]"] = v.PodSpec.Volumes[i].Name
	}
	if j.other != nil {
		maps.Copy(f.names, j.other.Names)
	}
	return f
}

// of returns the field of a path. A path that leads into neither a container nor a volume stays
// as it is.
func (f fields) of(path string) string {
	list, ok := strings.CutPrefix(path, f.specPath+".")
	end := strings.IndexByte(list, ']')
	if !ok || end < 0 {
		return path
	}
	at := len(f.specPath) + 1 + end + 1
	name, ok := f.names[path[:at]]
	if !ok {
		return path
	}
	list, _, _ = strings.Cut(list, "[")
	return f.specPath + "." + list + "[name=" + name + "]" + withoutPositions(path[at:])
}

// withoutPositions drops the positions in a path: the lists below a container
// that rules point into (args, command) have no keys, and an argument that moves is
// still the same argument.
func withoutPositions(path string) string {
	var b strings.Builder
	for path != "" {
		before, after, ok := strings.Cut(path, "[")
		b.WriteString(before)
		if !ok {
			break
		}
		key, rest, _ := strings.Cut(after, "]")
		if strings.Trim(key, "0123456789") != "" {
			b.WriteString("[" + key + "]")
		}
		path = rest
	}
	return b.String()
}
