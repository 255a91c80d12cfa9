package lab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// checkMachine says what is missing, before anything is made.
func checkMachine(o Options) error {
	switch {
	case runtime.GOOS != "linux":
		return errors.New("a lab needs Linux: its node is this machine")
	case os.Geteuid() != 0:
		return errors.New("a lab needs root: it makes namespaces, cgroups and mounts")
	}
	var missing []string
	for _, file := range o.Binaries.missing() {
		missing = append(missing, file+" (make lab-binaries)")
	}
	for name, pkg := range map[string]string{
		"iptables": "iptables", "conntrack": "conntrack",
		"ip": "iproute2", "nsenter": "util-linux", "unshare": "util-linux", "busybox": "busybox-static",
		"/usr/lib/cni/bridge": "containernetworking-plugins",
	} {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, fmt.Sprintf("%s (Debian: %s)", name, pkg))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("a lab needs what this machine does not have; make lab installs it where it can: %s", strings.Join(missing, ", "))
	}
	return nil
}
