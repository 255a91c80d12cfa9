package workload

import (
	"encoding/json"
	"testing"
)

// TestVirtualNode holds which pods are for virtual nodes, and which of them run nothing because
// their nodes are simulated.
func TestVirtualNode(t *testing.T) {
	const simulated = "its nodes are simulated"
	required := func(expression string) string {
		return `"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[` + expression + `]}]}}}`
	}
	for name, tt := range map[string]struct{ spec, path, idle string }{
		"nothing":                          {``, "", ""},
		"another type":                     {`"nodeSelector":{"type":"gpu"}`, "", ""},
		"selects KWOK":                     {`"nodeSelector":{"type":"kwok"}`, "spec.nodeSelector", simulated},
		"selects KWOK's own label":         {`"nodeSelector":{"kwok.x-k8s.io/node":"fake"}`, "spec.nodeSelector", simulated},
		"selects virtual-kubelet":          {`"nodeSelector":{"type":"virtual-kubelet"}`, "spec.nodeSelector", ""},
		"selects Liqo":                     {`"nodeSelector":{"liqo.io/type":"virtual-node"}`, "spec.nodeSelector", ""},
		"tolerates KWOK, and may run":      {`"tolerations":[{"key":"kwok.x-k8s.io/node","value":"fake"}]`, "spec.tolerations[0]", ""},
		"tolerates virtual-kubelet second": {`"tolerations":[{"key":"gpu"},{"key":"virtual-kubelet.io/provider","operator":"Exists"}]`, "spec.tolerations[1]", ""},
		"tolerates everything":             {`"tolerations":[{"operator":"Exists"}]`, "", ""},
		"requires KWOK":                    {required(`{"key":"type","operator":"In","values":["kwok"]}`), "spec.affinity.nodeAffinity", simulated},
		"requires KWOK's own label":        {required(`{"key":"kwok.x-k8s.io/node","operator":"Exists"}`), "spec.affinity.nodeAffinity", simulated},
		"requires KWOK or a real type":     {required(`{"key":"type","operator":"In","values":["kwok","gpu"]}`), "", ""},
		"has KWOK or something else": {
			required(`{"key":"type","operator":"In","values":["kwok"]}]},{"matchExpressions":[{"key":"gpu","operator":"Exists"}`),
			"spec.affinity.nodeAffinity", "",
		},
		"refuses virtual-kubelet": {required(`{"key":"type","operator":"NotIn","values":["virtual-kubelet"]}`), "", ""},
		"prefers virtual-kubelet": {
			`"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"preference":{"matchExpressions":[{"key":"type","operator":"In","values":["virtual-kubelet"]}]}}]}}`,
			"spec.affinity.nodeAffinity", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := View{SpecPath: "spec", Like: "Pod"}
			if err := json.Unmarshal([]byte("{"+tt.spec+"}"), &v.PodSpec); err != nil {
				t.Fatal(err)
			}
			if path, idle := v.VirtualNode(), v.Idle(); path != tt.path || idle != tt.idle {
				t.Errorf("got %q, %q, want %q, %q", path, idle, tt.path, tt.idle)
			}
		})
	}
}
