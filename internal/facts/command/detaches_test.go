package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts/fact"
)

const (
	nginxGoes  = "nginx puts itself in the background"
	nginxOff   = "run nginx -g 'daemon off;'"
	redisGoes  = "redis-server puts itself in the background"
	mayGoOn    = "it is not known whether the process ends"
	nginxConf  = "/etc/nginx/nginx.conf"
	inScriptAt = commandPath + "[2]"
)

func leaving(path, because, instead string) Detaches {
	return Detaches{Observation: fact.PresentAt(path), Because: because, Instead: instead}
}

func (d Detaches) unless(config string) Detaches {
	d.Config = config
	return d
}

func TestDetaches(t *testing.T) {
	known := table(t)
	nginx := leaving(commandPath, nginxGoes+" and ends", nginxOff).unless(nginxConf)
	nginxIn := func(because string) Detaches { return leaving(inScriptAt, because, nginxOff).unless(nginxConf) }
	redis := leaving(commandPath, redisGoes+" and ends", "leave out --daemonize yes")
	sshd := leaving(commandPath, "sshd puts itself in the background and ends", "run /usr/sbin/sshd -D -e")
	service := "run the server's own program, with the option that keeps it in the foreground"
	known2 := Detaches{Observation: fact.AbsentAt(commandPath)}
	knownScript := Detaches{Observation: fact.AbsentAt(inScriptAt)}
	unclear := func(path, reason string) Detaches { return Detaches{Observation: fact.UnknownAt(path, reason)} }
	mayEnd := func(name string) Detaches {
		return unclear(commandPath, "it is not known whether "+name+" ends")
	}
	for _, e := range []struct {
		command []string
		mounts  []string
		want    Detaches
	}{
		{words("nginx"), nil, nginx},
		{words("/usr/sbin/nginx"), []string{"/etc/nginx/conf.d", "/usr/share/nginx/html"}, nginx},
		{words("nginx"), []string{"/etc/nginx"}, mayEnd("nginx")},
		{words("nginx"), []string{"/etc/nginx/nginx.conf"}, mayEnd("nginx")},
		{[]string{"nginx", "-g", "daemon off;"}, nil, mayEnd("nginx")},
		{[]string{"nginx", "-gdaemon off;"}, nil, mayEnd("nginx")},
		{words("nginx -c /etc/nginx/own.conf"), nil, mayEnd("nginx")},
		{words("nginx -t"), nil, known2},
		{words("tini -- nginx"), nil, nginx},
		{words("redis-server"), nil, mayEnd("redis-server")},
		{words("redis-server --daemonize yes"), nil, redis},
		{words("redis-server /etc/redis.conf --port 7000 --daemonize yes"), nil, redis},
		{words("redis-server --daemonize no"), nil, mayEnd("redis-server")},
		{words("redis-server --daemonize yes --supervised systemd"), nil, mayEnd("redis-server")},
		{words("redis-server $(MODE)"), nil, mayEnd("redis-server")},
		{words("/usr/sbin/sshd -p 2222"), nil, sshd},
		{words("/usr/sbin/sshd -eD"), nil, mayEnd("sshd")},
		{words("supervisord -c /etc/supervisord.conf"), nil, mayEnd("supervisord")},
		{words("service nginx start"), nil, leaving(commandPath, "service starts a server in the background and ends", service)},
		{words("/etc/init.d/ssh start"), nil, leaving(commandPath, "ssh starts a server in the background and ends", service)},
		{words("/etc/init.d/ssh status"), nil, mayEnd("ssh")},
		{words("/usr/local/tomcat/bin/startup.sh"), nil, leaving(commandPath, "startup.sh starts Tomcat in the background and ends", "run catalina.sh run")},
		{words("startup.sh"), nil, mayEnd("startup.sh")},
		{words("httpd -p 8080 -h /www"), nil, leaving(commandPath, "httpd puts itself in the background and ends", "run httpd -DFOREGROUND")},
		{words("httpd -DFOREGROUND"), nil, mayEnd("httpd")},
		{words("rsync --daemon --no-detach"), nil, mayEnd("rsync")},
		{words("sleep infinity"), nil, known2},
		{words("echo"), nil, known2},
		{words("server"), nil, mayEnd("server")},

		{script("nginx"), nil, nginxIn(nginxGoes + " and ends")},
		{script("exec nginx"), nil, nginxIn(nginxGoes + " and ends")},
		{script("echo hi && nginx"), nil, nginxIn(nginxGoes + `, and the script ends after its last command, "echo hi && nginx"`)},
		{script("nginx; sleep 5"), nil, func() Detaches {
			d := nginxIn(nginxGoes + `, and sleep waits 5 seconds and ends`)
			d.AfterSeconds, d.Because = 5, nginxGoes+`, and the script ends after its last command, "sleep 5"`
			return d
		}()},
		{
			script("envsubst </a >/b; sed -i 's/a/b/' /b && apt-get install -y nginx && nginx"), nil,
			nginxIn(nginxGoes + `, and the script ends after its last command, "sed -i 's/a/b/' /b && apt-get install -…"`),
		},
		{script("app & nginx"), nil, nginxIn(nginxGoes + `, and the script ends after its last command, "nginx"`)},
		{script("nginx && tail -f /dev/null"), nil, unclear(inScriptAt, mayGoOn)},
		{script("nginx && tail -f /var/log/nginx/access.log"), nil, unclear(inScriptAt, mayGoOn)},
		{script("nginx; while :; do sleep 5; done"), nil, knownScript},
		{script("nginx; app"), nil, unclear(inScriptAt, mayGoOn)},
		{script("app; nginx"), nil, unclear(inScriptAt, mayGoOn)},
		{script("nginx & wait"), nil, unclear(inScriptAt, mayGoOn)},
		{script("nginx &"), nil, knownScript},
		{nil, nil, unclear(commandPath, imageRuns)},
	} {
		in := Input{Command: e.command, CommandPath: commandPath, ArgsPath: argsPath, Mounts: e.mounts, EnvUnknown: map[string]bool{"MODE": true}}
		if diff := cmp.Diff(e.want, Analyze(in, known).Detaches); diff != "" {
			t.Errorf("%q with %q: unexpected fact (-want +got):\n%s", e.command, e.mounts, diff)
		}
	}
}
