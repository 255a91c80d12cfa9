package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

//go:embed page
var files embed.FS

// scripts are the files of the page's script in their order. They share one scope.
func scripts() []string {
	return []string{"elements.js", "data.js", "filters.js", "finding.js", "groups.js", "controls.js", "main.js"}
}

// assets are what stands in every page.
type assets struct {
	Style  template.CSS
	Script template.JS
	// Policy is the value of the page's Content-Security-Policy.
	Policy string
}

func loadAssets() (assets, error) {
	style, err := files.ReadFile("page/page.css")
	if err != nil {
		return assets{}, err
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range scripts() {
		text, err := files.ReadFile("page/" + name)
		if err != nil {
			return assets{}, err
		}
		script.Write(text)
	}
	script.WriteString("})();\n")
	return assets{
		Style:  template.CSS(style),          //nolint:gosec // our own file
		Script: template.JS(script.String()), //nolint:gosec // our own files
		Policy: policyFor(string(style), script.String()),
	}, nil
}

// policyFor lets this style and this script work, and nothing else: no other script, nothing from elsewhere, and no
// text that becomes markup (https://www.w3.org/TR/CSP3, https://www.w3.org/TR/trusted-types).
func policyFor(style, script string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"style-src " + hash(style),
		"script-src " + hash(script),
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
}
