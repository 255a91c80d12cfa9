package main

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"
)

func parseLogLevel(s string) (slog.Level, error) {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	level, ok := levels[s]
	if !ok {
		return 0, fmt.Errorf("unknown level %q: it is debug, info, warn or error", s)
	}
	return level, nil
}

func checkLogFormat(s string) error {
	if s != "text" && s != "json" {
		return fmt.Errorf("unknown format %q: it is text or json", s)
	}
	return nil
}

// newLogger returns the one log of the process, and makes the libraries write to it:
// controller-runtime, client-go, and net/http, which complains to the standard
// logger about connections.
func newLogger(w io.Writer, o *options) (logr.Logger, error) {
	level, err := parseLogLevel(o.logLevel)
	if err != nil {
		return logr.Logger{}, err
	}
	at := &slog.HandlerOptions{Level: level, ReplaceAttr: plain}
	var handler slog.Handler = slog.NewTextHandler(w, at)
	if o.logFormat == "json" {
		handler = slog.NewJSONHandler(w, at)
	}
	slog.SetDefault(slog.New(handler))
	log := logr.FromSlogHandler(handler)
	crlog.SetLogger(log)
	klog.SetLogger(log)
	return log, nil
}

// maxLogged is how many bytes of one text a line of the log holds. What libraries log may quote what
// somebody has sent, and be as long.
const maxLogged = 5 << 10

// plain cuts texts, and shows the verbosities of libraries as what they are for: debugging.
// slog would call them DEBUG+3.
func plain(_ []string, a slog.Attr) slog.Attr {
	switch value := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(shorten(value))
	case error:
		a.Value = slog.StringValue(shorten(value.Error()))
	case slog.Level, time.Time, []string, nil:
	default:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.StringValue(shorten(fmt.Sprintf("%+v", value)))
		}
	}
	if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey && level < slog.LevelInfo {
		a.Value = slog.AnyValue(slog.LevelDebug)
	}
	return a
}

func shorten(text string) string {
	const end = "…"
	if len(text) <= maxLogged {
		return text
	}
	return strings.ToValidUTF8(text[:maxLogged-len(end)], "") + end
}
