package kubeapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// attempts is how often a request is sent that fails for a reason that may pass.
	attempts = 5
	// maxPause bounds the wait before a request is sent again.
	maxPause = 20 * time.Second
	// maxAnswer bounds an answer in bytes. Objects are smaller than 2 MiB (etcd), and a page has 500 of them.
	maxAnswer = 128 << 20
)

// errTooLarge is why an answer was not read.
var errTooLarge = fmt.Errorf("the answer takes more than %d MiB", maxAnswer>>20)

// Get returns the answer to a request, as JSON. Where the API server is busy or does not answer it asks again a few
// times. Errors of the API server are those of apimachinery.
func (c *Client) Get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	return c.get(ctx, path, query, attempts)
}

func (c *Client) get(ctx context.Context, path string, query url.Values, attempts int) ([]byte, error) {
	pause := c.pause
	if pause == 0 {
		pause = time.Second / 2
	}
	for n := 1; ; n++ {
		raw, wait, err := c.once(ctx, path, query)
		if err == nil || n >= attempts || !passes(err) || ctx.Err() != nil {
			return raw, err
		}
		select {
		case <-time.After(min(max(wait, pause), maxPause)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pause *= 2
	}
}

// once sends the request once. It returns how long the API server asks to wait.
func (c *Client) once(ctx context.Context, path string, query url.Values) (raw []byte, wait time.Duration, err error) {
	asking, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	to := c.base.JoinPath(path)
	to.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(asking, http.MethodGet, to.String(), http.NoBody)
	if err != nil {
		return nil, 0, fmt.Errorf("asking for %s: %w", path, err)
	}
	request.Header.Set("Accept", "application/json")
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, 0, c.unanswered(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, 0, c.unanswered(ctx, err)
	case len(raw) > maxAnswer:
		return nil, 0, errTooLarge
	case answer.StatusCode != http.StatusOK:
		return nil, waitOf(answer), c.refused(path, answer.StatusCode, raw)
	}
	return raw, 0, nil
}

func waitOf(answer *http.Response) time.Duration {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// refused is the error in an answer.
func (c *Client) refused(path string, code int, raw []byte) error {
	var status metav1.Status
	err := apierrors.NewGenericServerResponse(code, http.MethodGet, schema.GroupResource{}, path, strings.TrimSpace(string(raw[:min(len(raw), 200)])), 0, true)
	if json.Unmarshal(raw, &status) == nil && status.Kind == "Status" && status.Status != metav1.StatusSuccess {
		err = &apierrors.StatusError{ErrStatus: status}
	}
	if code == http.StatusUnauthorized {
		return fmt.Errorf("the API server at %s does not accept the credentials of %s, which may have expired: %w", c.Server, c.who(), err)
	}
	return err
}

// who tells whose the credentials are.
func (c *Client) who() string {
	if c.Context == "" {
		return "this pod"
	}
	return fmt.Sprintf("context %q", c.Context)
}

// Unanswered is the error of a request that got no answer.
type Unanswered struct {
	Server string
	Err    error
}

// Error names the API server.
func (e *Unanswered) Error() string {
	return fmt.Sprintf("the API server at %s does not answer: %v", e.Server, e.Err)
}

// Unwrap returns why.
func (e *Unanswered) Unwrap() error { return e.Err }

// unanswered is the error of a request that got no answer, or not all of it.
func (c *Client) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("nothing came within %s", c.timeout)
	}
	return &Unanswered{Server: c.Server, Err: err}
}

// passes reports whether the same request may succeed a little later.
func passes(err error) bool {
	var unanswered *Unanswered
	return errors.As(err, &unanswered) ||
		apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsInternalError(err) ||
		apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err)
}

// Version returns the version of the API server, such as v1.36.3. It asks once, so that a wrong address is told at once.
func (c *Client) Version(ctx context.Context) (string, error) {
	raw, err := c.get(ctx, "/version", nil, 1)
	if err != nil {
		return "", err
	}
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(raw, &v); err != nil || v.GitVersion == "" {
		return "", fmt.Errorf("what answers at %s is no API server of Kubernetes", c.Server)
	}
	return v.GitVersion, nil
}

// Groups returns the versions that are served of each API group but the core one, the preferred one first.
func (c *Client) Groups(ctx context.Context) (map[string][]string, error) {
	raw, err := c.Get(ctx, "/apis", nil)
	if err != nil {
		return nil, err
	}
	var list metav1.APIGroupList
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("reading the API groups: %w", err)
	}
	groups := make(map[string][]string, len(list.Groups))
	for i := range list.Groups {
		g := &list.Groups[i]
		versions := []string{g.PreferredVersion.Version}
		for _, v := range g.Versions {
			if v.Version != g.PreferredVersion.Version {
				versions = append(versions, v.Version)
			}
		}
		groups[g.Name] = versions
	}
	return groups, nil
}
