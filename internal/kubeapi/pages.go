package kubeapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/forestall/forestall/internal/apijson"
)

// PageSize is how many objects are asked for at once.
const PageSize = 500

// List is a list of objects of one kind.
type List struct {
	Resource schema.GroupVersionResource
	Kind     string
	// Namespace of the objects; empty for all.
	Namespace string
	// Fields is a selector of fields; empty for none.
	Fields string
}

// Path is where the list is served.
func (l List) Path() string {
	path := "/api/" + l.Resource.Version
	if l.Resource.Group != "" {
		path = "/apis/" + l.Resource.Group + "/" + l.Resource.Version
	}
	if l.Namespace != "" {
		path += "/namespaces/" + l.Namespace
	}
	return path + "/" + l.Resource.Resource
}

// Page is a part of a list.
type Page struct {
	// Items are the objects as JSON, with apiVersion and kind, and without metadata.managedFields. They are the caller's
	// own.
	Items [][]byte
	// Remaining is how many objects come after this page, as far as the API server says it; otherwise 0.
	Remaining int

	next string
}

// Pages yields a list page by page. The next page is asked for while the caller works on one. Each object comes once,
// also where the API server forgets meanwhile what the list was (410 Expired): then the rest is as new as the last pages.
func (c *Client) Pages(ctx context.Context, l List) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		p := pager{client: c, list: l, limit: PageSize}
		coming := p.ask(ctx)
		for coming != nil {
			got := <-coming
			if coming = nil; got.err == nil && got.page.next != "" {
				coming = p.ask(ctx)
			}
			if !yield(got.page, got.err) {
				break
			}
		}
		if coming != nil { // nobody wants it any more
			cancel()
			<-coming
		}
	}
}

// pager asks for one page after the other.
type pager struct {
	client *Client
	list   List
	limit  int
	next   string
	// last is the last object that came. Where the list has to begin again, what is not behind it has come before.
	last  []byte
	after string
}

type fetched struct {
	page Page
	err  error
}

// ask asks for the next page. The channel has room, so that nobody has to wait for the answer.
func (p *pager) ask(ctx context.Context) <-chan fetched {
	to := make(chan fetched, 1)
	go func() {
		got, err := p.fetch(ctx)
		to <- fetched{got, err}
	}()
	return to
}

// fetch returns the next page.
func (p *pager) fetch(ctx context.Context) (Page, error) {
	for {
		query := url.Values{"limit": {strconv.Itoa(p.limit)}}
		if p.next != "" {
			query.Set("continue", p.next)
		}
		if p.list.Fields != "" {
			query.Set("fieldSelector", p.list.Fields)
		}
		raw, err := p.client.Get(ctx, p.list.Path(), query)
		switch {
		case errors.Is(err, errTooLarge) && p.limit > 1:
			p.limit = max(1, p.limit/8)
			continue
		case p.next != "" && apierrors.IsResourceExpired(err):
			p.expired(err)
			continue
		case err != nil:
			return Page{}, err
		}
		page, err := read(raw, p.list)
		if err != nil {
			return Page{}, fmt.Errorf("reading a list of %s: %w", p.list.Resource.Resource, err)
		}
		p.next = page.next
		p.skip(&page)
		if len(page.Items) > 0 {
			p.last = bytes.Clone(page.Items[len(page.Items)-1])
		}
		return page, nil
	}
}

// expired goes on where the API server has forgotten the list: with the token that it gives for the rest as it is now, or
// from the start.
func (p *pager) expired(err error) {
	p.next = ""
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		p.next = status.Status().Continue
	}
	if p.next == "" && p.last != nil {
		p.after = keyOf(p.last)
	}
}

// skip takes out what has come before. Lists are in the order of the keys in etcd.
func (p *pager) skip(page *Page) {
	if p.after == "" {
		return
	}
	n := 0
	for _, item := range page.Items {
		if keyOf(item) > p.after {
			page.Items[n] = item
			n++
		}
	}
	page.Items = page.Items[:n]
}

func keyOf(item []byte) string {
	var o struct {
		Metadata struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"metadata"`
	}
	if apijson.Unmarshal(item, &o) != nil {
		return ""
	}
	return o.Metadata.Namespace + "/" + o.Metadata.Name
}

var errNoList = errors.New("it is no list")

// read takes the JSON of a list apart.
func read(raw []byte, l List) (Page, error) {
	var page Page
	head := fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q`, l.Resource.GroupVersion().String(), l.Kind)
	d := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if first, err := d.ReadToken(); err != nil || first.Kind() != jsontext.KindBeginObject {
		return page, errNoList
	}
	for d.PeekKind() == jsontext.KindString {
		name, err := d.ReadToken()
		if err != nil {
			return page, err
		}
		switch name.String() {
		case "metadata":
			err = page.readMeta(d)
		case "items":
			page.Items, err = readItems(d, head)
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return page, err
		}
	}
	_, err := d.ReadToken()
	return page, err
}

// readMeta takes in the metadata of a list.
func (p *Page) readMeta(d *jsontext.Decoder) error {
	var meta metav1.ListMeta
	value, err := d.ReadValue()
	if err == nil {
		err = apijson.Unmarshal(value, &meta)
	}
	p.next = meta.Continue
	if meta.RemainingItemCount != nil {
		p.Remaining = int(*meta.RemainingItemCount)
	}
	return err
}

func readItems(d *jsontext.Decoder, head []byte) ([][]byte, error) {
	switch first, err := d.ReadToken(); {
	case err != nil:
		return nil, err
	case first.Kind() == jsontext.KindNull:
		return nil, nil
	case first.Kind() != jsontext.KindBeginArray:
		return nil, errNoList
	}
	var items [][]byte
	for d.PeekKind() != jsontext.KindEndArray {
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		item, err := itemOf(value, head)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.ReadToken()
	return items, err
}

// itemOf returns an object of a list: with apiVersion and kind first, which the lists of built-in kinds leave out, and
// without managedFields, which are as large as the rest and nothing to anybody here.
func itemOf(value jsontext.Value, head []byte) ([]byte, error) {
	item := append(make([]byte, 0, len(head)+len(value)), head...)
	d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if first, err := d.ReadToken(); err != nil || first.Kind() != jsontext.KindBeginObject {
		return nil, errNoList
	}
	err := fields(d, func(name string, quoted, value []byte) error {
		switch name {
		case "apiVersion", "kind":
			return nil
		case "metadata":
			item = append(append(append(item, ','), quoted...), ':')
			var err error
			item, err = appendMetadata(item, value)
			return err
		}
		item = append(append(append(append(item, ','), quoted...), ':'), value...)
		return nil
	})
	return append(item, '}'), err
}

func appendMetadata(item, metadata []byte) ([]byte, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(metadata), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if first, err := d.ReadToken(); err != nil || first.Kind() != jsontext.KindBeginObject {
		return append(item, metadata...), nil
	}
	item = append(item, '{')
	first := true
	err := fields(d, func(name string, quoted, value []byte) error {
		if name == "managedFields" {
			return nil
		}
		if !first {
			item = append(item, ',')
		}
		first = false
		item = append(append(append(item, quoted...), ':'), value...)
		return nil
	})
	return append(item, '}'), err
}

// fields reads the fields of an object that has begun.
func fields(d *jsontext.Decoder, each func(name string, quoted, value []byte) error) error {
	for d.PeekKind() == jsontext.KindString {
		quoted, err := d.ReadValue()
		if err != nil {
			return err
		}
		quoted = bytes.Clone(quoted)
		name, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			return err
		}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := each(string(name), quoted, value); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
