package kubeapi

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Log says which lines of which log are read.
type Log struct {
	Namespace, Pod, Container string
	// Previous asks for the run before the present one.
	Previous bool
	// Lines from the end, and Bytes at most. Both are needed.
	Lines, Bytes int
}

// Log returns the last lines that a container has written. The API server asks the kubelet for them, so that they cannot
// be read while the node does not answer.
func (c *Client) Log(ctx context.Context, l Log) ([]string, error) {
	query := url.Values{
		"container": {l.Container}, "previous": {strconv.FormatBool(l.Previous)},
		"tailLines": {strconv.Itoa(l.Lines)}, "limitBytes": {strconv.Itoa(l.Bytes)},
	}
	path := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/log", url.PathEscape(l.Namespace), url.PathEscape(l.Pod))
	raw, err := c.get(ctx, path, query, 1)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(raw), "\r\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}
