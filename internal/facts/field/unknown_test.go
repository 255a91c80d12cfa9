package field

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/forestall/forestall/internal/apijson"
)

func TestFindUnknown(t *testing.T) {
	const c = "spec.template.spec.containers[0]"
	for name, test := range map[string]struct {
		manifest string
		want     []Unknown
	}{
		"mistyped": {
			"spec: {replica: 1, template: {spec: {containers: [{comand: [a], Image: b, image_pull_policy: Always, resources: {limit: {}}}]}}}",
			[]Unknown{
				{Path: "spec.replica", Object: "spec", Names: []string{"replica"}, Meant: []string{"replicas"}},
				{Path: c + ".Image", Object: c, Names: []string{"Image"}, Meant: []string{"image"}},
				{Path: c + ".comand", Object: c, Names: []string{"comand"}, Meant: []string{"command"}},
				{Path: c + ".image_pull_policy", Object: c, Names: []string{"image_pull_policy"}, Meant: []string{"imagePullPolicy"}},
				{Path: c + ".resources.limit", Object: c + ".resources", Names: []string{"limit"}, Meant: []string{"limits"}},
			},
		},
		"beside the containers": {
			"spec: {template: {spec: {containers: [], env: [], livenessProbe: {}, ports: [], image: a}}}",
			[]Unknown{{
				Path: "spec.template.spec.env", Object: "spec.template.spec", Names: []string{"env", "image", "livenessProbe", "ports"},
				Places: []string{"spec.template.spec.containers[].env"},
			}},
		},
		"too far out": {
			"spec: {restartPolicy: Always, containers: []}",
			[]Unknown{{
				Path: "spec.containers", Object: "spec", Names: []string{"containers", "restartPolicy"}, Places: []string{"spec.template.spec.containers"},
			}},
		},
		"too far in": {
			"spec: {template: {spec: {containers: [{volumes: [], securityContext: {fsGroup: 1}, livenessProbe: {path: /}, resources: {memory: 1Gi}}]}}}",
			[]Unknown{
				{
					Path: c + ".livenessProbe.path", Object: c + ".livenessProbe", Names: []string{"path"},
					Places: []string{c + ".livenessProbe.httpGet.path"},
				},
				{
					Path: c + ".resources.memory", Object: c + ".resources", Names: []string{"memory"},
					Places: []string{c + ".resources.limits.memory", c + ".resources.requests.memory"},
				},
				{
					Path: c + ".securityContext.fsGroup", Object: c + ".securityContext", Names: []string{"fsGroup"},
					Places: []string{"spec.template.spec.securityContext.fsGroup"},
				},
				{Path: c + ".volumes", Object: c, Names: []string{"volumes"}, Places: []string{"spec.template.spec.volumes"}},
			},
		},
		"of another type of volume": {
			"spec: {template: {spec: {volumes: [{name: a, storageos: {pool: b}}], containers: [{livenessProbe: {tcpSocket: {path: /, timeoutSeconds: 1}}}]}}}",
			[]Unknown{
				{
					Path: c + ".livenessProbe.tcpSocket.path", Object: c + ".livenessProbe.tcpSocket", Names: []string{"path", "timeoutSeconds"},
				},
				{Path: "spec.template.spec.volumes[0].storageos.pool", Object: "spec.template.spec.volumes[0].storageos", Names: []string{"pool"}},
			},
		},
		"a patch": {"spec: {$retainKeys: [a], template: {spec: {$setElementOrder/containers: [], containers: [{$patch: delete}]}}}", nil},
		"nothing like it": {
			"x-anchors: {}\nspec: {foo: 1, bar: 2}",
			[]Unknown{
				{Path: "spec.bar", Object: "spec", Names: []string{"bar", "foo"}},
				{Path: "x-anchors", Names: []string{"x-anchors"}},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := yaml.YAMLToJSON([]byte(test.manifest))
			if err != nil || !json.Valid(raw) {
				t.Fatal(err)
			}
			got := FindUnknown(apijson.Check(raw, reflect.TypeFor[appsv1.Deployment]()))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
