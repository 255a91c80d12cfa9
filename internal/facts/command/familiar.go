package command

import (
	"path"
	"slices"
	"strings"
)

// isFamiliar reports whether a word names a program that many images have, so
// that "python app.py" is a command line and not a file with a space in its name.
func isFamiliar(name string) bool {
	base, ok := standardName(name)
	return ok && (slices.Contains(takesText(), base) || slices.Contains(expandsNothing(), base) || slices.Contains([]string{
		"ruby", "rails", "rake", "puma", "php", "nginx", "httpd", "npm", "npx", "yarn", "pnpm", "bun", "deno", "mvn", "gradle", "go", "make", "kubectl", "helm", "git", "dotnet",
		"uwsgi", "supervisord", "supervisorctl", "service", "systemctl", "docker-entrypoint.sh", "apt-get", "apk", "bundle", "composer",
	}, base))
}

// standardName is the name of a program called by its bare name or in a standard directory.
func standardName(name string) (string, bool) {
	switch dir, base := path.Split(name); dir {
	case "", "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/":
		return base, base != ""
	}
	return "", false
}

// takesText lists programs that are meant to get text that looks like syntax of a
// shell: shells, filters with a language of their own, and what passes its
// arguments on to one of them.
func takesText() []string {
	return []string{
		"sh", "ash", "dash", "bash", "zsh", "ksh", "fish", "csh", "tcsh", "pwsh", "powershell", "cmd", "busybox",
		"awk", "gawk", "mawk", "sed", "grep", "egrep", "fgrep", "find", "xargs", "parallel", "jq", "yq", "expr", "test", "[",
		"envsubst", "su", "sudo", "runuser", "ssh", "adb", "eval", "script", "watch", "nsenter", "chroot", "tmux", "screen",
		"nft", "perl", "tclsh", "expect", "make", "bc", "entr", "flock", "unshare", "s6-setuidgid", "execlineb", "cut", "sort", "tr",
	}
}

// expandsNothing lists programs that are known to take $NAME in their arguments
// as it is: neither they nor their entrypoints replace it.
func expandsNothing() []string {
	return []string{
		"echo", "printf", "sleep", "cat", "cp", "mv", "ln", "ls", "rm", "mkdir", "rmdir", "touch", "chmod", "chown", "chgrp",
		"tail", "head", "tar", "curl", "wget", "nc", "ncat", "ping", "nslookup", "dig", "host", "getent",
		"pg_isready", "psql", "pg_dump", "createdb", "mysql", "mysqladmin", "mysqldump", "mariadb", "mariadb-admin",
		"redis-cli", "redis-server", "mongo", "mongosh", "mongod", "mongodump", "rabbitmqctl", "rabbitmq-diagnostics",
		"python", "python3", "gunicorn", "uvicorn", "celery", "flask", "node", "java", "stress", "stress-ng", "etcd", "etcdctl", "kubectl", "grpc_health_probe",
	}
}

// setsUpKernel reports whether a program leaves its work to the kernel: once it
// has ended there is no process that could die.
func setsUpKernel(name string) bool {
	return slices.Contains([]string{
		"wg-quick", "awg-quick", "ip", "iptables", "ip6tables", "nft", "ipvsadm", "tc", "mount", "modprobe",
	}, path.Base(name))
}

// isTool reports whether a program does one thing and ends, and leaves nothing behind that could serve.
func isTool(name string) bool {
	base, ok := standardName(name)
	return ok && slices.Contains([]string{
		"git", "kubectl", "helm", "aws", "gcloud", "gsutil", "az", "mc", "rclone", "terraform", "openssl", "ssh-keygen", "keytool", "certutil",
		"psql", "pg_dump", "pg_isready", "createdb", "mysql", "mysqladmin", "mysqldump", "mariadb", "redis-cli", "mongosh", "mongo", "mongodump",
		"etcdctl", "grpc_health_probe", "sysctl", "mkfifo", "mknod", "setcap", "swapoff", "rsync", "mkfs.ext4", "mkfs.xfs",
	}, base)
}

// refusesGlued reports whether a program is known to end with an error where an option and its value are one argument:
// it takes its options with getopt_long, Go's packages flag, pflag or kingpin, click or boost, which look for an option
// with the space in its name. Others take the argument apart, such as envoy (TCLAP) and redis-server.
func refusesGlued(name string) bool {
	return strings.HasSuffix(name, "exporter") || strings.HasPrefix(name, "kube-") || strings.HasPrefix(name, "argocd-") ||
		slices.Contains([]string{
			"cat", "cp", "mv", "ls", "rm", "mkdir", "touch", "chmod", "chown", "tail", "head", "date", "tar", "curl", "wget",
			"kubectl", "helm", "etcd", "etcdctl", "prometheus", "alertmanager", "pushgateway", "thanos", "loki", "promtail", "tempo", "mimir",
			"cadvisor", "coredns", "traefik", "caddy", "minio", "dex", "oauth2-proxy", "external-dns", "metrics-server", "velero",
			"cloudflared", "k3s", "kubelet", "uvicorn", "celery", "flask", "node", "java", "mongod", "mongos", "mysqld", "mariadbd", "postgres",
		}, name)
}

// swallowing are the short options that name a file or an address, of programs that take them with Ruby's optparse or
// Python's argparse: these take the rest of the word for the value, with its spaces.
func swallowing() map[string]string {
	return map[string]string{"puma": "CbS", "sidekiq": "Cr", "unicorn": "c", "gunicorn": "bck"}
}

// isInterpreter reports whether a program runs text in a language of its own, in
// which $NAME or ${NAME} can have a meaning.
func isInterpreter(name string) bool {
	return slices.Contains([]string{"python", "python3", "node", "java", "mongo", "mongosh", "psql", "mysql", "mariadb"}, name)
}

// mayEvaluate reports whether what a program does with its arguments is its
// own affair: a script may well evaluate them.
func mayEvaluate(name string) bool {
	base := path.Base(name)
	return slices.Contains(takesText(), base) || strings.Contains(base, ".sh") || strings.Contains(base, "entrypoint")
}
