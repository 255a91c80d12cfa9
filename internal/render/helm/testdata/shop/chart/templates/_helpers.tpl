{{/* Labels of everything. */}}
{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "shop.container" -}}
- name: {{ .name }}
  image: "worker:{{ .tag }}"
  {{- with .command }}
  command: {{ toJson . }}
  {{- end }}
{{- end -}}
