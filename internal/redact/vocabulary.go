package redact

import (
	"regexp"
	"strings"
)

// vocabulary returns the words that everybody knows: those of the texts, without comments and sources, and the ones
// below, which are names of options, folders, formats and variables. None of them says whose manifest it is.
func vocabulary(texts [][]byte) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(common) {
		all[w] = true
	}
	uninteresting := regexp.MustCompile(`(?m)(#| source:).*$`)
	for _, t := range texts {
		for _, w := range wordPattern().FindAllString(uninteresting.ReplaceAllString(string(t), ""), -1) {
			all[strings.ToLower(w)] = true
		}
	}
	return all
}

const common = `
true false yes no on off null none auto always never enabled disabled default localhost
bin sbin usr local lib lib64 etc var run tmp opt srv dev proc sys root home mnt media share app apps data conf config configs config.d cache log logs
null zero stdin stdout stderr fd self pid init shm pts socket sock lock
sh bash ash dash ksh zsh fish env exec eval source set unset export exit return if then elif else fi for in do done while until case esac
trap wait sleep infinity kill test echo printf read cd pwd true false function local shift getopts time command type builtin nohup setsid
cat cp mv rm mkdir rmdir ln ls chmod chown touch tail head grep egrep sed awk cut sort uniq wc tr tee xargs find date seq basename dirname
curl wget nc ncat socat ping dig nslookup host ssh scp rsync git tar gzip gunzip unzip zip jq yq openssl base64 md5sum sha256sum
python python2 python3 pip node npm npx yarn pnpm java javac ruby perl php go rust cargo dotnet mono erl elixir mix rake bundle rails puma unicorn
gunicorn uwsgi uvicorn celery flask django nginx httpd apache apache2 caddy haproxy envoy traefik tomcat catalina jetty jboss wildfly spring boot
sha256 redis valkey memcached mysql mysqld mariadb postgres postgresql mongo mongod mongodb kafka zookeeper rabbitmq nats etcd consul vault elasticsearch
opensearch kibana logstash fluentd fluent bit prometheus grafana loki tempo jaeger zipkin otel collector exporter alertmanager minio cassandra
kubectl helm kube kubernetes k8s io docker containerd istio linkerd proxy sidecar agent operator controller manager webhook metrics
py pyc js mjs ts jar war class rb pl php sh exe conf cfg ini yaml yml json toml xml properties txt md log html css csv sql db sock pid crt key pem
http https tcp udp unix grpc ws wss tls ssl ftp file com org net gcr ghcr quay ecr azurecr amazonaws pkg registry library docker mcr microsoft
alpine debian ubuntu busybox distroless scratch slim bookworm bullseye buster jammy focal noble latest stable edge main master dev prod staging test
port ports listen listening address addr bind bound host hostname server servers service services serve daemon foreground background nodaemon daemonize
web admin management health healthz healthcheck livez readyz ready live liveness readiness startup status ping probe actuator metrics debug pprof
level verbose quiet trace info warn warning error fatal version help timeout interval period retries retry delay max min size limit limits memory
mem heap xms xmx xmn xss xx maxrampercentage initialrampercentage maxram old space stack threads thread workers worker process processes cpu
cpus jobs parallel concurrency connections pool queue buffer cache ttl rate burst count number num name names namespace user username group password
passwd pass secret token auth key keys cert certs ca certificate url uri path paths dir dirs directory file files folder input output in out from to
opts options option args flags java jvm jdk tool gomemlimit gomaxprocs goflags maven gradle enable disable use no with without only force all any
start stop restart reload run running migrate migration migrations upgrade install setup init bootstrap entrypoint main cmd shell script scripts
docker entrypoint client mode type kind format mount volume volumes storage store backup restore export import once forever loop work job task cron
leader elect election id cluster node nodes pod pods replica replicas primary secondary standalone external internal public private
kubernetes.io app part component instance managed by release tier env environment stage zone region arch os amd64 arm64 linux windows
aof appendonly maxmemory policy save protected vm bytes hang keep hdd iodepth scheme method get post put head
`
