package prove

import (
	"fmt"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/forestall/forestall/test/lab"
)

// warnings collects what the API server warns of.
type warnings struct {
	mu  sync.Mutex
	all []string
}

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, text)
}

func (w *warnings) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.all, "; ")
}

// client is a client that leaves its warnings here.
func (w *warnings) client(l *lab.Lab) (client.Client, error) {
	config := rest.CopyConfig(l.Config)
	config.WarningHandler = w
	c, err := client.New(config, client.Options{})
	if err != nil {
		return nil, fmt.Errorf("making a client that hears warnings: %w", err)
	}
	return c, nil
}
