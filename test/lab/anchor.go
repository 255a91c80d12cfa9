package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ownFolders are the folders of the machine of which each lab has its own. In
// them containerd, CNI, iptables and the kubelet keep what no flag of theirs
// moves: sockets of shims, locks, network namespaces, links to logs.
func ownFolders() []string { return []string{"/run", "/var/lib", "/var/log"} }

// sysctls are what the kubelet sets for the whole machine unless it finds them
// so. It is shown what it wants to see, and the machine stays as it is.
func sysctls() map[string]string {
	return map[string]string{
		"vm/overcommit_memory":      "1",
		"vm/panic_on_oom":           "0",
		"kernel/panic":              "10",
		"kernel/panic_on_oops":      "1",
		"kernel/keys/root_maxkeys":  "1000000",
		"kernel/keys/root_maxbytes": "25000000",
	}
}

// startAnchor starts the process that holds the lab's namespaces, and makes the
// network between them and this machine.
//
// The namespaces have no names: neither is /run/netns of this machine mounted
// on, nor is there anything to remove once the last process in them has ended.
func (l *Lab) startAnchor(ctx context.Context) error {
	script, err := l.anchorScript()
	if err != nil {
		return err
	}
	d := daemon{name: "anchor", program: "/bin/sh", args: []string{script}, outside: true}
	if err := l.startDaemons(d); err != nil {
		return err
	}
	l.record.Anchor = l.daemons[0].pid()
	if err := l.record.write(l.Dir); err != nil {
		return err
	}
	anchored := filepath.Join(l.Dir, "anchored")
	if err := l.wait(ctx, "waiting for the namespaces", func(context.Context) error {
		_, err := os.Stat(anchored)
		return err
	}); err != nil {
		return err
	}
	return l.connect(ctx)
}

// anchorScript writes what the anchor runs: first within the cgroup, then within
// the namespaces.
func (l *Lab) anchorScript() (string, error) {
	inside := []string{"set -e"}
	for _, folder := range ownFolders() {
		own := filepath.Join(l.Dir, "root", folder)
		if err := os.MkdirAll(own, 0o755); err != nil {
			return "", fmt.Errorf("making the lab's %s: %w", folder, err)
		}
		inside = append(inside, "mount --bind "+own+" "+folder)
	}
	inside[1] = "mount -t tmpfs -o mode=755 forestall-lab /run" // sockets and locks are no files to keep
	i := 0
	for name, value := range sysctls() {
		shown := filepath.Join(l.Dir, "sysctl-"+strconv.Itoa(i))
		if err := os.WriteFile(shown, []byte(value+"\n"), 0o644); err != nil {
			return "", fmt.Errorf("writing sysctl %s: %w", name, err)
		}
		inside = append(inside, "mount --bind "+shown+" /proc/sys/"+name)
		i++
	}
	unresolved, err := l.nameless()
	if err != nil {
		return "", err
	}
	inside = append(inside, unresolved, "ip link set lo up", "touch "+filepath.Join(l.Dir, "anchored"), "exec sleep infinity")
	file := filepath.Join(l.Dir, "inside.sh")
	if err := os.WriteFile(file, []byte(strings.Join(inside, "\n")+"\n"), 0o700); err != nil {
		return "", fmt.Errorf("writing what the anchor runs: %w", err)
	}
	outside := filepath.Join(l.Dir, "anchor.sh")
	text := "exec unshare --net --mount --propagation private /bin/sh " + file + "\n"
	if err := os.WriteFile(outside, []byte(text), 0o700); err != nil {
		return "", fmt.Errorf("writing what the anchor runs: %w", err)
	}
	return outside, nil
}

// nameless makes a file without name servers, and returns the command that puts it in the place of the machine's own.
// Those cannot be reached from the lab: an image that is asked for at a registry would keep the kubelet, which pulls one
// image at a time, busy for a minute, and the removal of its pod would wait for that. Where the machine's file is a link
// into its /run, the lab does not see it in the first place.
func (l *Lab) nameless() (string, error) {
	const used = "/etc/resolv.conf"
	file := filepath.Join(l.Dir, "nameless.conf")
	if err := os.WriteFile(file, []byte("# Names are not resolved in the lab.\n"), 0o644); err != nil {
		return "", fmt.Errorf("writing the lab's %s: %w", used, err)
	}
	return fmt.Sprintf("if [ -f %s ]; then mount --bind %s %s; fi", used, file, used), nil
}

// connect makes the one link between this machine and the lab.
func (l *Lab) connect(ctx context.Context) error {
	anchor := strconv.Itoa(l.record.Anchor)
	at := func(end fmt.Stringer) string { return fmt.Sprintf("%s/%d", end, l.addresses.link) }
	for _, args := range [][]string{
		{"ip", "link", "add", l.link(), "type", "veth", "peer", "name", "eth0", "netns", anchor},
		{"ip", "address", "add", at(l.addresses.host), "dev", l.link()},
		{"ip", "link", "set", l.link(), "up"},
		l.inside("ip", "address", "add", at(l.addresses.node), "dev", "eth0"),
		l.inside("ip", "link", "set", "eth0", "up"),
		// The API server and kube-proxy look for the node's address here.
		l.inside("ip", "route", "add", "default", "via", l.addresses.host.String()),
	} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("linking the lab to this machine: %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// inside is a command line that runs in the lab's namespaces.
func (l *Lab) inside(args ...string) []string {
	return append([]string{"nsenter", "--target", strconv.Itoa(l.record.Anchor), "--net", "--mount", "--"}, args...)
}

// link is the name of this machine's end. It goes with the network namespace.
func (l *Lab) link() string { return fmt.Sprintf("frstl-lab%d", l.record.Number) }

// disconnect removes the link where the lab ended before its namespace.
func (l *Lab) disconnect(ctx context.Context) error {
	gone := func() error {
		if _, err := os.Stat(filepath.Join("/sys/class/net", l.link())); err == nil {
			return errors.New(l.link() + " is still there")
		}
		return nil
	}
	if gone() == nil {
		return nil
	}
	out, err := exec.CommandContext(ctx, "ip", "link", "delete", l.link()).CombinedOutput()
	if err != nil && gone() != nil {
		return fmt.Errorf("removing the link to the lab: %w\n%s", err, out)
	}
	return nil
}
