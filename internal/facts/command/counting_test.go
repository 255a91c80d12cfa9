package command

import "testing"

func TestCounting(t *testing.T) {
	known := table(t)
	for script, want := range map[string]int64{
		"for ((i=0; i<10; i++)); do sleep 2; done":                                           20,
		"for ((i=10; i>0; i-=3)); do sleep 1; done":                                          4,
		"for ((i = 1; i <= 3; ++i)); do sleep 1; done":                                       3,
		"for ((i=0; i<0; i++)); do sleep 9; done":                                            0,
		"i=0; while [ $i -lt 10 ]; do i=$((i+1)); sleep 1; done":                             10,
		"i=0; while [ \"$i\" -le 10 ]; do sleep 1; i=$(( $i + 5 )); done":                    3,
		"n=5; while test $n -gt 0; do sleep 1; n=$((n-1)); done":                             5,
		"i=0\nwhile (( i < 4 )); do sleep 1; (( i++ )); done":                                4,
		"i=0; while [ $i -ne 3 ]; do sleep 1; i=$((i+1)); done":                              3,
		"i=0; while [ $i -lt 5 ] && ! [ -e /x ]; do sleep 1; i=$((i+1)); done; echo":         5,
		"i=0; while [ $i -lt 5 ]; do if [ -e /x ]; then break; fi; i=$((i+1)); done":         0,
		"for ((i=0; i<3; i++)); do for ((j=0; j<3; j++)); do sleep 1; done; done":            9,
		"i=0; while [ $i -lt 2 ]; do for ((j=0; j<2; j++)); do sleep 1; done; ((i++)); done": 4,

		"for ((i=0; i<10; i--)); do sleep 1; done":                                      -1,
		"for ((i=0; i<10; i++)); do i=0; sleep 1; done":                                 -1,
		"for ((i=0; i<n; i++)); do sleep 1; done":                                       -1,
		"for ((i=0; i!=3; i+=2)); do sleep 1; done":                                     -1,
		"for ((i=0; i<10; j++)); do sleep 1; done":                                      -1,
		"for ((i=0; i<10; i++)); do read i; done":                                       -1,
		"i=0; while [ $i -lt 10 ]; do sleep 1; done":                                    -1,
		"while [ $i -lt 10 ]; do i=0; i=$((i+1)); sleep 1; done":                        -1,
		"i=0; while [ $i -lt 10 ]; do if [ -e /x ]; then i=$((i+1)); fi; sleep 1; done": -1,
		"i=0; while [ $i -lt 10 ]; do [ -e /x ] && continue; i=$((i+1)); done":          -1,
		"i=0; while [ $i -lt 10 ]; do (i=$((i+1))); sleep 1; done":                      -1,
		"i=0; while [ $i -lt 10 ]; do i=$((i+1)) & sleep 1; done":                       -1,
		"i=0; while [ $i -lt 10 ]; do i=$((i-1)); done":                                 -1,
		"i=0; f() { i=0; }; while [ $i -lt 10 ]; do i=$((i+1)); f; done":                -1,
		"i=0; f() { i=0; }; while [ $i -lt 10 ]; do i=$((i+1)); sleep 1; done":          -1,
		"i=0; until [ $i -lt 10 ]; do i=$((i+1)); done":                                 -1,
		"i=0; while [ $i -lt 10 ] || true; do i=$((i+1)); sleep 1; done":                -1,
		"i=0; while [ $i -lt 10 ]; do i=$((i+1)); /app/server; done":                    -1,
		"i=0; while [ $i -lt 10 ]; do i=$((i+1)); let \"i=0\"; done":                    -1,
	} {
		in := Input{Command: []string{"bash", "-c", script}, CommandPath: commandPath}
		ends := Analyze(in, known).Ends
		got := ends.AfterSeconds
		if ends.State != "present" {
			got = -1
		}
		if got != want {
			t.Errorf("%s: ends after %d, want %d: %+v", script, got, want, ends)
		}
	}
}
