{{- define "isomatch.name" -}}
{{- if contains "isomatch" .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-isomatch" .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "isomatch.selector" -}}
app.kubernetes.io/name: isomatch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "isomatch.labels" -}}
{{ include "isomatch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "isomatch.check" -}}
{{- if not (trim .Values.settings) -}}
{{- fail "settings: name the database, as in `neo4j_uri = \"neo4j://HOST:7687\"` or `endpoint = \"http://HOST/sparql\"`" -}}
{{- end -}}
{{- range $line := splitList "\n" .Values.settings -}}
{{- if regexMatch "^\\s*\"?\\w*(password|token|secret|api_key|authorization)\"?\\s*=" (lower $line) -}}
{{- fail (printf "settings: %s is a secret: put it in a Secret, and its variable in `secrets`" (trim (first (splitList "=" $line)))) -}}
{{- end -}}
{{- end -}}
{{- if not (or (hasKey .Values.secrets "ISOMATCH_SERVE_TOKEN") (contains "[serve.oidc]" .Values.settings)) -}}
{{- fail "secrets: name the Secret of ISOMATCH_SERVE_TOKEN, or a provider of tokens in the table [serve.oidc] of settings: the service does not start where anybody could ask" -}}
{{- end -}}
{{- if and (gt (int .Values.replicas) 1) (ne .Values.persistence.accessMode "ReadWriteMany") -}}
{{- fail (printf "replicas: %v replicas share the home folder: set persistence.accessMode to ReadWriteMany" .Values.replicas) -}}
{{- end -}}
{{- end -}}

{{- define "isomatch.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- /* A container without its command: image, environment, mounts. */ -}}
{{- define "isomatch.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
env:
  {{- if not (regexMatch "(?m)^\\s*qdrant_prefix\\s*=" .Values.settings) }}
  # Releases that share a Qdrant must not share collections.
  - name: ISOMATCH_QDRANT_PREFIX
    value: {{ printf "%s-%s" .Release.Namespace .Release.Name | quote }}
  {{- end }}
  {{- range $name, $value := .Values.variables }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $name, $secret := .Values.secrets }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $secret.name }}
        key: {{ $secret.key }}
  {{- end }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: home
    mountPath: /data
  - name: settings
    mountPath: /etc/isomatch
    readOnly: true
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "isomatch.volumes" -}}
- name: home
  persistentVolumeClaim:
    claimName: {{ .Values.persistence.existingClaim | default (include "isomatch.name" .) }}
- name: settings
  configMap:
    name: {{ include "isomatch.name" . }}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- end -}}

{{- define "isomatch.placement" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
