package command

import "testing"

// TestOnce tells work that is done once from work of the same programs that goes on.
func TestOnce(t *testing.T) {
	known := table(t)
	for line, want := range map[string]bool{
		"kubectl get pods -o yaml": true, "kubectl apply -f x.yaml": true, "kubectl get pods --watch=true": false, "kubectl get pods -w": false,
		"git clone x": true, "git daemon": false, "npm ci": true, "npm start": false, "go build ./...": true, "go run x.go": false,
	} {
		got := Analyze(Input{Command: words(line), CommandPath: commandPath}, known).Ends.State == "present"
		if got != want {
			t.Errorf("%s: ends: %v, want %v", line, got, want)
		}
	}
}
