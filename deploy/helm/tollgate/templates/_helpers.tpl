{{- define "tollgate.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name }}{{ end }}
{{- end }}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tollgate.secret" -}}
{{- .Values.secret.existing | default (include "tollgate.name" .) }}
{{- end }}

{{/* What would start and lose something later is refused now. */}}
{{- define "tollgate.check" -}}
{{- if not .Values.secret.existing }}
{{- if lt (len .Values.secret.SECRET_KEY) 32 }}{{ fail "secret.SECRET_KEY must have at least 32 characters" }}{{ end }}
{{- if and (not .Values.secret.DATABASE_URL) (or .Values.autoscaling.enabled (gt (int .Values.replicas) 1)) }}
{{- fail "several replicas need secret.DATABASE_URL; for SQLite set replicas=1 and autoscaling.enabled=false" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled (not .Values.secret.METRICS_TOKEN) }}{{ fail "serviceMonitor needs secret.METRICS_TOKEN" }}{{ end }}
{{- end }}
{{- end }}
