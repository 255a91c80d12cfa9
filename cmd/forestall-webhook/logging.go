package main

import (
	"fmt"
	"io"
	"log/slog"

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
	at := &slog.HandlerOptions{Level: level, ReplaceAttr: plainLevel}
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

// plainLevel shows the verbosities of libraries as what they are for: debugging.
// slog would call them DEBUG+3.
func plainLevel(_ []string, a slog.Attr) slog.Attr {
	if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey && level < slog.LevelInfo {
		a.Value = slog.AnyValue(slog.LevelDebug)
	}
	return a
}
