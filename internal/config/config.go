// Package config holds the one configuration file: its types, defaults and checks.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// The version and kind that a configuration file names.
const (
	APIVersion = "forestall.dev/v1alpha1"
	Kind       = "Configuration"
)

// maxSize bounds a file, in bytes. A ConfigMap holds less than 1 MiB.
const maxSize = 1 << 20

// Configuration is the content of the file. The zero value leaves all to the rules.
type Configuration struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Mode caps the level of all rules: deny (no cap), warn, audit or off. With off
	// nothing is judged.
	Mode finding.Level `json:"mode,omitempty"`
	// FailureMode says what happens to an object that cannot be reviewed: ignore
	// (the default) admits it with a warning, fail refuses it.
	FailureMode FailureMode `json:"failureMode,omitempty"`
	// OwnedObjects caps the level for what controllers create from a template that was judged
	// before: the ReplicaSet of a Deployment, the Pods of a Job. The default is warn; deny leaves
	// controllers retrying.
	OwnedObjects finding.Level `json:"ownedObjects,omitempty"`
	// Controllers are users, or patterns of users such as system:serviceaccount:operators:*, who
	// create Pods, ReplicaSets and Jobs for their owners. The controllers of Kubernetes are
	// always among them: system:kube-controller-manager and the service accounts of kube-system.
	Controllers []string `json:"controllers,omitempty"`
	// TrustOwnerReferences believes owner references whoever sends the object. It is for clusters
	// whose controllers have names that nobody knows. Anybody who may create Pods can then turn a
	// denial into a warning.
	TrustOwnerReferences bool `json:"trustOwnerReferences,omitempty"`
	// Unfinished says what happens to an object that is too large to be judged whole: admit (the
	// default) admits it with a warning unless what was found denies it, refuse refuses it when it
	// is created and no controller owns it, where mode and namespace allow denials.
	Unfinished Unfinished `json:"unfinished,omitempty"`
	// HideNames leaves the names of other objects of the namespace, its Services and LimitRanges, out of
	// what is said to clients that have not shown a certificate of --client-ca-file. Verdicts stay the
	// same.
	HideNames bool `json:"hideNames,omitempty"`
	// IgnoreAnnotations says where annotations of an object take findings out
	// (ignore.forestall.dev/RULE: REASON): audits (the default), always, which lets whoever may create
	// an object get it past the webhook, or never.
	IgnoreAnnotations IgnoreAnnotations `json:"ignoreAnnotations,omitempty"`
	// PolicyVersion is a version of forestall: rules that are newer only warn.
	PolicyVersion string `json:"policyVersion,omitempty"`
	// Namespaces caps the level of all rules in namespaces, by name or pattern
	// (team-*). Where several match, the lowest counts.
	Namespaces map[string]finding.Level `json:"namespaces,omitempty"`
	// Rules are settings by rule id.
	Rules map[string]Rule `json:"rules,omitempty"`
	// Kinds are custom kinds that are judged beside the built-in ones. The webhook is
	// registered for these; audits judge the custom kinds that forestall knows without being told.
	Kinds []CustomKind `json:"kinds,omitempty"`

	source source
}

// Rule is what can be set for one rule.
type Rule struct {
	// Level replaces the default level of the rule.
	Level finding.Level `json:"level,omitempty"`
	// AuditLevel replaces it for audits alone.
	AuditLevel finding.Level `json:"auditLevel,omitempty"`
	// Params replaces defaults of its parameters.
	Params map[string]any `json:"params,omitempty"`
}

// Load reads the file at path; an empty path is the zero Configuration. Errors
// name the file and the line, one in each line of the message.
func Load(path string) (Configuration, error) {
	if path == "" {
		return Configuration{}, nil
	}
	raw, err := Read(path)
	if err != nil {
		return Configuration{}, err
	}
	return Parse(path, raw)
}

// Read returns the content of a file, unless it is too large to be a configuration.
func Read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	raw, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if len(raw) > maxSize {
		return nil, fmt.Errorf("reading the configuration: %s is larger than %d bytes", path, maxSize)
	}
	return raw, nil
}

// Parse reads a configuration that was read from the named file. Unknown fields
// and unknown levels are errors. It returns all of them at once, and beside them what could be read, so that
// others can say what else is wrong.
func Parse(name string, raw []byte) (Configuration, error) {
	s, err := newSource(name, raw)
	if err != nil {
		return Configuration{}, err
	}
	c := Configuration{source: s}
	unread := s.decode(&c)
	return c, InOrder(append(unread, c.Locate(others(c.validate(), unread)))...)
}

// Locate says where in the file the settings stand that the joined errors are
// about. Each error begins with the place, such as rules.command-exits.level.
func (c Configuration) Locate(err error) error { return c.source.locate(err) }

func (c Configuration) validate() error {
	var errs []error
	if c.APIVersion != APIVersion || c.Kind != Kind {
		errs = append(errs, fmt.Errorf("apiVersion: apiVersion and kind are %q and %q: they must be %q and %q", c.APIVersion, c.Kind, APIVersion, Kind))
	}
	if _, err := ParseFailureMode(string(c.FailureMode)); c.FailureMode != "" && err != nil {
		errs = append(errs, fmt.Errorf("failureMode: %w", err))
	}
	if _, err := ParseUnfinished(string(c.Unfinished)); c.Unfinished != "" && err != nil {
		errs = append(errs, fmt.Errorf("unfinished: %w", err))
	}
	if _, err := ParseIgnoreAnnotations(string(c.IgnoreAnnotations)); c.IgnoreAnnotations != "" && err != nil {
		errs = append(errs, fmt.Errorf("ignoreAnnotations: %w", err))
	}
	errs = append(errs, checkLevel("mode", c.Mode), checkLevel("ownedObjects", c.OwnedObjects))
	for _, pattern := range slices.Sorted(maps.Keys(c.Namespaces)) {
		errs = append(errs, checkLevel("namespaces."+pattern, cmp.Or(c.Namespaces[pattern], "nothing")))
	}
	for _, id := range slices.Sorted(maps.Keys(c.Rules)) {
		errs = append(errs, checkLevel("rules."+id+".level", c.Rules[id].Level), checkLevel("rules."+id+".auditLevel", c.Rules[id].AuditLevel))
	}
	return errors.Join(append(errs, c.checkKinds())...)
}

func checkLevel(at string, l finding.Level) error {
	if l == "" {
		return nil
	}
	if _, err := finding.ParseLevel(string(l)); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}

// AuditSettings returns the Settings for audits, which judge the custom kinds that forestall
// knows without being told, and follow annotations unless they are never to count.
func (c Configuration) AuditSettings() review.Settings {
	s := c.Settings()
	s.Kinds = c.auditTable()
	s.IgnoreAnnotations = c.IgnoreAnnotations != Never
	return s
}

// Settings returns the configuration as a Reviewer takes it. Its kinds are those that the
// webhook is registered for.
func (c Configuration) Settings() review.Settings {
	s := review.Settings{
		Mode: c.Mode, Namespaces: c.Namespaces, OwnedObjects: c.OwnedObjects,
		Controllers: c.Controllers, TrustOwnerReferences: c.TrustOwnerReferences,
		RefuseUnfinished: c.Unfinished == Refuse, IgnoreAnnotations: c.IgnoreAnnotations == Always,
		HideNames: c.HideNames, PolicyVersion: c.PolicyVersion,
		Levels: map[string]finding.Level{}, AuditLevels: map[string]finding.Level{},
		Params: map[string]map[string]any{}, Kinds: c.table(),
	}
	for id, r := range c.Rules {
		if r.Level != "" {
			s.Levels[id] = r.Level
		}
		if r.AuditLevel != "" {
			s.AuditLevels[id] = r.AuditLevel
		}
		if len(r.Params) > 0 {
			s.Params[id] = r.Params
		}
		if r.Level == "" && r.AuditLevel == "" && len(r.Params) == 0 {
			s.Params[id] = nil // a rule that does not exist is an error all the same
		}
	}
	return s
}
