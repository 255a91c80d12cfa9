package webhook

import (
	"crypto/x509"
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/forestall/forestall/internal/finding"
	"github.com/forestall/forestall/internal/review"
)

// Recorder keeps count of what the webhook does. Its methods are called concurrently.
type Recorder interface {
	// RequestStarted is called when a request comes in, RequestDone when it is answered.
	RequestStarted()
	RequestDone(path string, outcome Outcome, took time.Duration)
	// Finding is called for each finding that an answer acts on.
	Finding(f Counted)
	// Ignored is called for each finding that annotations of the object take out.
	Ignored(f Counted)
	// Owned is called for each object that names a controller of Kubernetes as its owner, when it
	// is created.
	Owned(kind string, sender review.Sender)
	// RuleError is called for each rule that gave no answer.
	RuleError(rule string)
	// Unfinished is called for each review of an object that was too large to be judged whole.
	Unfinished(path string)
	// Panic is called when a review panicked.
	Panic()
}

// Counted is what metrics tell of a finding.
type Counted struct {
	Rule  string
	Level finding.Level
	// Kind of the object.
	Kind string
	// Owned is true where a controller of a judged kind has created the object.
	Owned bool
}

// discard is a Recorder that keeps nothing.
type discard struct{}

func (discard) RequestStarted()                            {}
func (discard) RequestDone(string, Outcome, time.Duration) {}
func (discard) Finding(Counted)                            {}
func (discard) Ignored(Counted)                            {}
func (discard) Owned(string, review.Sender)                {}
func (discard) RuleError(string)                           {}
func (discard) Unfinished(string)                          {}
func (discard) Panic()                                     {}

// BuildInfo says what program is running.
type BuildInfo struct{ Version, Revision, GoVersion string }

// Metrics is a Recorder for Prometheus. Its labels are bounded: rules, levels, judged
// kinds and outcomes, never namespaces or names of objects.
type Metrics struct {
	requests   *prometheus.CounterVec
	findings   *prometheus.CounterVec
	ignored    *prometheus.CounterVec
	owned      *prometheus.CounterVec
	events     *prometheus.CounterVec
	ruleErrors *prometheus.CounterVec
	unfinished *prometheus.CounterVec
	duration   *prometheus.HistogramVec
	inFlight   prometheus.Gauge
	panics     prometheus.Counter
	loads      *prometheus.CounterVec
	loaded     prometheus.Gauge
}

// buckets are fine where answers should be, and reach as far as they may be.
func buckets() []float64 {
	return []float64{
		0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
	}
}

// NewMetrics returns Metrics that are registered.
func NewMetrics(registerer prometheus.Registerer, build BuildInfo) (*Metrics, error) {
	m := &Metrics{
		requests: counters("forestall_admission_requests_total",
			"Admission requests by path and outcome.", "path", "outcome"),
		findings: counters("forestall_findings_total",
			"Findings by rule, level in force, kind of object, and whether a controller created it: those that /validate reported and those that /mutate repaired.",
			"rule", "level", "kind", "owned"),
		ignored: counters("forestall_ignored_findings_total",
			"Findings of which /validate said nothing, since annotations of the object ask to ignore them, by rule, the level that they would have in force, kind of object, and whether a controller created it.",
			"rule", "level", "kind", "owned"),
		owned: counters("forestall_owned_objects_total",
			"Objects that name a controller of Kubernetes as their owner, by kind and by who creates them: a controller, or somebody other, who is not believed unless the configuration says so.",
			"kind", "sender"),
		events: counters("forestall_owner_events_total",
			"Events about what controllers create, by what became of them: the owner is confirmed and told, or nobody is.", "result"),
		ruleErrors: counters("forestall_rule_errors_total",
			"Rules that could not answer.", "rule"),
		unfinished: counters("forestall_unfinished_reviews_total",
			"Reviews of objects that were too large to be judged whole, by path.", "path"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "forestall_admission_duration_seconds",
			Help:    "Time from the arrival of an admission request to its answer.",
			Buckets: buckets(),
		}, []string{"path"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "forestall_admission_in_flight",
			Help: "Admission requests that are being answered.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "forestall_panics_total",
			Help: "Reviews that ended in a panic.",
		}),
		loads: counters("forestall_config_loads_total",
			"Attempts to put the configuration file in force, by result.", "result"),
		loaded: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "forestall_config_up_to_date",
			Help: "1 when the configuration file as it is now is in force; 0 when it cannot be used and the last good one is.",
		}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "forestall_build_info",
		Help: "Always 1; the labels say what program is running.",
		ConstLabels: prometheus.Labels{
			"version": build.Version, "revision": build.Revision, "goversion": build.GoVersion,
		},
	})
	info.Set(1)
	for _, c := range []prometheus.Collector{m.requests, m.findings, m.ignored, m.owned, m.events, m.ruleErrors, m.unfinished, m.duration, m.inFlight, m.panics, m.loads, m.loaded, info} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("registering metrics: %w", err)
		}
	}
	return m, nil
}

// WatchCertificate adds a series with the time at which the serving certificate
// expires, read when it is asked for; 0 while there is none.
func WatchCertificate(registerer prometheus.Registerer, c Certificates) error {
	expiry := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "forestall_serving_certificate_expiry_timestamp_seconds",
		Help: "When the serving certificate expires, in seconds since 1970; 0 while there is none.",
	}, func() float64 {
		certificate, err := c.GetCertificate(nil)
		if err != nil || certificate == nil || len(certificate.Certificate) == 0 {
			return 0
		}
		leaf := certificate.Leaf
		if leaf == nil {
			if leaf, err = x509.ParseCertificate(certificate.Certificate[0]); err != nil {
				return 0
			}
		}
		return float64(leaf.NotAfter.Unix())
	})
	if err := registerer.Register(expiry); err != nil {
		return fmt.Errorf("registering metrics: %w", err)
	}
	return nil
}

// WatchCache adds series about the findings that are kept, read when they are asked for.
func WatchCache(registerer prometheus.Registerer, counts func() review.CacheCounts) error {
	asked := func(result string, count func(review.CacheCounts) uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "forestall_findings_cache_requests_total",
			Help:        "Objects that were judged: those whose findings were known from before (hit), and those that were looked at (miss).",
			ConstLabels: prometheus.Labels{"result": result},
		}, func() float64 { return float64(count(counts())) })
	}
	for _, c := range []prometheus.Collector{
		asked("hit", func(c review.CacheCounts) uint64 { return c.Hits }),
		asked("miss", func(c review.CacheCounts) uint64 { return c.Misses }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "forestall_findings_cache_entries",
			Help: "Objects whose findings are kept.",
		}, func() float64 { return float64(counts().Entries) }),
	} {
		if err := registerer.Register(c); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return nil
}

// WatchCluster adds a series that tells which kinds of object of the cluster are known, read
// when it is asked for.
func WatchCluster(registerer prometheus.Registerer, synced func() map[string]bool) error {
	for kind := range synced() {
		gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "forestall_cluster_context_synced",
			Help:        "1 while the objects of a kind that reviews ask about are known; 0 before they are read, and while they cannot be read.",
			ConstLabels: prometheus.Labels{"kind": kind},
		}, func() float64 {
			if synced()[kind] {
				return 1
			}
			return 0
		})
		if err := registerer.Register(gauge); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return nil
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// RequestStarted counts a request that is being answered.
func (m *Metrics) RequestStarted() { m.inFlight.Inc() }

// RequestDone counts an answer and the time that it took.
func (m *Metrics) RequestDone(path string, outcome Outcome, took time.Duration) {
	m.inFlight.Dec()
	m.requests.WithLabelValues(path, string(outcome)).Inc()
	m.duration.WithLabelValues(path).Observe(took.Seconds())
}

// Finding counts a finding.
func (m *Metrics) Finding(f Counted) {
	m.findings.WithLabelValues(f.Rule, string(f.Level), f.Kind, strconv.FormatBool(f.Owned)).Inc()
}

// Ignored counts a finding that is ignored.
func (m *Metrics) Ignored(f Counted) {
	m.ignored.WithLabelValues(f.Rule, string(f.Level), f.Kind, strconv.FormatBool(f.Owned)).Inc()
}

// Owned counts an object with an owner.
func (m *Metrics) Owned(kind string, sender review.Sender) {
	m.owned.WithLabelValues(kind, string(sender)).Inc()
}

// OwnerEvent counts an Event for the owner of an object, by what became of it.
func (m *Metrics) OwnerEvent(result string) { m.events.WithLabelValues(result).Inc() }

// RuleError counts a rule that gave no answer.
func (m *Metrics) RuleError(rule string) { m.ruleErrors.WithLabelValues(rule).Inc() }

// Unfinished counts a review of an object that was too large to be judged whole.
func (m *Metrics) Unfinished(path string) { m.unfinished.WithLabelValues(path).Inc() }

// ConfigLoaded counts an attempt to put the configuration file in force.
func (m *Metrics) ConfigLoaded(err error) {
	if err != nil {
		m.loads.WithLabelValues("error").Inc()
		m.loaded.Set(0)
		return
	}
	m.loads.WithLabelValues("success").Inc()
	m.loaded.Set(1)
}

// Panic counts a panic.
func (m *Metrics) Panic() { m.panics.Inc() }
