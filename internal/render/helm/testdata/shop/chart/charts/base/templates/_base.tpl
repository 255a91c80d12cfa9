{{- define "base.nothing" }}{{ end }}
