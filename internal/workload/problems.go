package workload

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Likes lists the built-in kinds that a custom kind can be like.
func Likes() []string {
	return []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"}
}

// problems says what is invalid in a custom kind. Each error begins with the name of the field.
func (k Kind) problems() []error {
	var errs []error
	add := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %w", field, fmt.Errorf(format, args...)))
	}
	switch {
	case slices.ContainsFunc(Table{}.Kinds(), func(b Kind) bool { return b.Group == k.Group && b.Kind == k.Kind }):
		add("kind", "%s of %s is built in", k.Kind, k.APIVersion())
	case !k.custom() || len(validation.IsDNS1123Subdomain(k.Group)) > 0:
		add("group", "%q is not the group of a custom kind, such as argoproj.io", k.Group)
	}
	if len(validation.IsDNS1035Label(k.Version)) > 0 {
		add("version", "%q is not a version such as v1alpha1", k.Version)
	}
	if len(validation.IsDNS1035Label(strings.ToLower(k.Kind))) > 0 {
		add("kind", "%q is not the name of a kind, such as Rollout", k.Kind)
	}
	if len(validation.IsDNS1035Label(k.Resource)) > 0 {
		add("resource", "%q is not the plural in lower case that the API server serves, such as rollouts", k.Resource)
	}
	if !slices.Contains(Likes(), k.Like) {
		add("like", "%q is not one of %s", k.Like, strings.Join(Likes(), ", "))
	}
	return append(errs, k.pathProblems()...)
}

func (k Kind) pathProblems() []error {
	if err := checkPath(k.TemplatePath); err != nil {
		return []error{fmt.Errorf("templatePath: %w", err)}
	}
	if k.ReplicasPath == "" {
		return nil
	}
	if err := checkPath(k.ReplicasPath); err != nil {
		return []error{fmt.Errorf("replicasPath: %w", err)}
	}
	if within(k.ReplicasPath, k.TemplatePath) || within(k.TemplatePath, k.ReplicasPath) {
		return []error{fmt.Errorf("replicasPath: %s and the template at %s stand within each other", k.ReplicasPath, k.TemplatePath)}
	}
	return nil
}

// checkPath says what is wrong with a path of field names.
func checkPath(path string) error {
	if path == "" {
		return errors.New("it is missing: it is a path such as spec.template")
	}
	if strings.ContainsAny(path, "[]*") {
		return fmt.Errorf("%q leads through a list: an object with several templates cannot be judged yet", path)
	}
	steps := strings.Split(path, ".")
	for _, step := range steps {
		if !isFieldName(step) {
			return fmt.Errorf("%q is not a path of field names such as spec.template", path)
		}
	}
	if slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, steps[0]) {
		return fmt.Errorf("%q leads into %s, where nobody asks for pods", path, steps[0])
	}
	return nil
}

// isFieldName reports whether the text can be the name of a field in the API.
func isFieldName(text string) bool {
	for i, c := range text {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '_' && c != '-' && (c < '0' || '9' < c)) {
			return false
		}
	}
	return text != ""
}

// within reports whether a path is another one, or leads on from it.
func within(path, outer string) bool {
	return path == outer || strings.HasPrefix(path, outer+".")
}
