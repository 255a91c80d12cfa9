package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forestall/forestall/internal/facts"
	"github.com/forestall/forestall/internal/facts/fact"
)

func ptr[T any](v T) *T { return &v }

func TestWorkload(t *testing.T) {
	const template = "template: {spec: {containers: [{name: c, image: c:1}]}}"
	for _, tt := range []struct {
		name, object string
		want         facts.Workload
	}{
		{
			"a Deployment with the API's defaults",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {" + template + "}}",
			facts.Workload{Replicas: ptr(int32(1)), Rollout: &facts.Rollout{
				Strategy: "RollingUpdate", MaxUnavailable: ptr(int32(0)), ProgressDeadlineSeconds: 600,
			}},
		},
		{
			"shares are rounded down",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 9, minReadySeconds: 5, progressDeadlineSeconds: 60, strategy: {rollingUpdate: {maxUnavailable: 30%}}, " + template + "}}",
			facts.Workload{Replicas: ptr(int32(9)), Rollout: &facts.Rollout{
				Strategy: "RollingUpdate", MaxUnavailable: ptr(int32(2)), MinReadySeconds: 5, ProgressDeadlineSeconds: 60,
			}},
		},
		{
			"both 0 means one",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, strategy: {rollingUpdate: {maxUnavailable: 10%, maxSurge: 0}}, " + template + "}}",
			facts.Workload{Replicas: ptr(int32(3)), Rollout: &facts.Rollout{
				Strategy: "RollingUpdate", MaxUnavailable: ptr(int32(1)), ProgressDeadlineSeconds: 600,
			}},
		},
		{
			"a share that cannot be read",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {strategy: {rollingUpdate: {maxSurge: many}}, " + template + "}}",
			facts.Workload{Replicas: ptr(int32(1)), Rollout: &facts.Rollout{Strategy: "RollingUpdate", ProgressDeadlineSeconds: 600}},
		},
		{
			"Recreate, without a deadline",
			"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {progressDeadlineSeconds: 2147483647, strategy: {type: Recreate}, " + template + "}}",
			facts.Workload{Replicas: ptr(int32(1)), Rollout: &facts.Rollout{Strategy: "Recreate"}},
		},
		{
			"a StatefulSet",
			"{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {replicas: 3, podManagementPolicy: Parallel, updateStrategy: {type: OnDelete}, " + template + "}}",
			facts.Workload{Replicas: ptr(int32(3)), Rollout: &facts.Rollout{Strategy: "OnDelete", PodManagementPolicy: "Parallel"}},
		},
		{
			"a DaemonSet",
			"{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {" + template + "}}",
			facts.Workload{Rollout: &facts.Rollout{Strategy: "RollingUpdate"}},
		},
		{
			"a Job",
			"{apiVersion: batch/v1, kind: Job, metadata: {name: once}, spec: {activeDeadlineSeconds: 60, " + template + "}}",
			facts.Workload{ActiveDeadlineSeconds: ptr(int64(60)), BackoffLimit: ptr(int32(6))},
		},
		{
			"a CronJob",
			"{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {concurrencyPolicy: Forbid, jobTemplate: {spec: {activeDeadlineSeconds: 60, " + template + "}}}}",
			facts.Workload{ActiveDeadlineSeconds: ptr(int64(60)), BackoffLimit: ptr(int32(6)), ConcurrencyPolicy: "Forbid"},
		},
		{
			"a CronJob that does not try again",
			"{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {jobTemplate: {spec: {backoffLimit: 0, " + template + "}}}}",
			facts.Workload{BackoffLimit: ptr(int32(0)), ConcurrencyPolicy: "Allow"},
		},
		{
			"a Job whose indexes have a limit each",
			"{apiVersion: batch/v1, kind: Job, metadata: {name: once}, spec: {backoffLimitPerIndex: 1, " + template + "}}",
			facts.Workload{},
		},
		{
			"a Job that counts by a policy",
			"{apiVersion: batch/v1, kind: Job, metadata: {name: once}, spec: {podFailurePolicy: {rules: []}, " + template + "}}",
			facts.Workload{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, tt.object)
			tt.want.Kind, tt.want.Name, tt.want.SpecPath = v.Kind, v.Meta.Name, v.SpecPath
			got := factsOf(v, alone(), facts.Knowledge{}).Workload
			tt.want.Unserved.State = fact.Absent
			tt.want.OutlastsDeadline = got.OutlastsDeadline // TestOutlastsDeadline
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
