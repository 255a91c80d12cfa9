package apiserver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// StopAPIServer takes the API server away at once, and leaves etcd with everything that is stored.
// One that is asked to end would first wait for its watches.
func (c *Cluster) StopAPIServer() error {
	text, err := os.ReadFile(filepath.Join(c.Dir, "kube-apiserver"+pidSuffix))
	if err != nil {
		return fmt.Errorf("finding the API server: %w", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return fmt.Errorf("finding the API server: %w", err)
	}
	if err := errors.Join(killGroup(pid), c.plane.APIServer.Stop()); err != nil {
		return fmt.Errorf("stopping the API server: %w", err)
	}
	return nil
}

// StartAPIServer brings the API server back, at the same address and with the same credentials. It
// returns when the API server is ready.
func (c *Cluster) StartAPIServer() error {
	if err := c.plane.APIServer.Start(); err != nil {
		return fmt.Errorf("starting the API server again: %w%s", err, quoteLog(filepath.Join(c.Dir, "kube-apiserver.log")))
	}
	return nil
}
