// Package proof knows the files testdata/proof.yaml of the rules: what is run in
// the lab, and what must be seen of it there. It decides whether an observation
// is what was expected, and writes the page of what was observed. It runs
// nothing itself.
//
//	apiVersion: lab.forestall.dev/v1
//	kind: Proof
//	fails:                            # what the rule predicts comes true
//	  - name: echo                    # one word, for people and for the namespace
//	    manifest: fail-echo.yaml      # in the same folder
//	    standIns:                     # what runs in the place of images that the lab has not
//	      registry.example.com/shop/web:1.4.2:
//	        image: lab.forestall.dev/server:1
//	        env: {UNHEALTHY_AFTER: 3s}
//	    podsMemory: 400Mi             # run alone, all pods of the node bounded by this much
//	    within: 1m                    # for everything that is expected
//	    expect:                       # each seen in this order, all fields of one at the same moment
//	      - pod: {name: echo}         # or labels: {app: echo}; any pod without it
//	        container: echo           # any container without it
//	        phase: Running
//	        reason: Evicted           # of the pod as a whole
//	        waiting: {reason: CrashLoopBackOff, message: part of the message}
//	        terminated: {reason: Completed, exitCode: 0}   # now or the last time
//	        running: true
//	        restartsAtLeast: 2
//	        condition: {type: Ready, status: "False", reason: ContainersNotReady}
//	        event: {reason: BackOff, message: part of the message}
//	      - service: {name: web, ready: 0}                 # endpoints that are ready
//	      - service: {name: web, ready: 1, ports: 0}       # on how many ports they can be reached
//	      - job: {name: migrate, condition: Complete}
//	      - deployment: {name: web, condition: {type: Progressing, status: "False", reason: ProgressDeadlineExceeded}}
//	      - deployment: {name: web, replicaSetsAtLeast: 2}
//	      - phase: Succeeded
//	        stillNot: 90s             # not seen in that time, which counts from the start
//	works:                            # what the rule lets pass, or patches, is as good as it says
//	  - name: patched
//	    manifest: fail-echo.yaml
//	    patched: true                 # by the webhook, with testdata/config.yaml
//	    …
//	unproved: why                     # instead of cases: what no single machine can show
//
// A proof fails when what was expected did not happen: then the rule is wrong,
// its certainty or its text, or the proof is.
package proof
