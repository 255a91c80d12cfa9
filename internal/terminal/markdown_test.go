package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const somePage = "# a-rule\n\n**It `ends` early.** Under restartPolicy Always the kubelet\nstarts it again.\n\n" +
	"| | |\n|---|---|\n| Certainty | certain |\n\n## Why\n\n- a task, as `a && b`,\n  in a Deployment;\n- [Jobs](https://kubernetes.io/jobs) and [others](other.md).\n\n" +
	"Write:\n\n```yaml\nspec:\n  # `as` it **is**\n\n  x: 1\n```\n\n| written | what happens |\n|---|---|\n| `a \\| b` | echo prints `a \\| b` and ends, as it would with any other words |\n\n- An item:\n\n  ```\n  x: 1\n  ```\n\n- Another.\n\nEnd.\n"

func TestMarkdown(t *testing.T) {
	want := strings.TrimPrefix(`
a-rule
It ends early. Under restartPolicy Always
the kubelet starts it again.

Certainty  certain

Why
- a task, as a && b, in a Deployment;
- Jobs (https://kubernetes.io/jobs) and
  others.

Write:

    spec:
      # `+"`as` it **is**"+`

      x: 1

written  what happens
a | b    echo prints a | b and ends, as it
         would with any other words

- An item:

      x: 1

- Another.

End.
`, "\n")
	if diff := cmp.Diff(want, Screen{Width: 43}.Markdown(somePage)); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestMarkdownInColour(t *testing.T) {
	got := Screen{Width: 30, Colour: true}.Markdown("## Why it fails\n\n**It `ends early`.** Then `sleep 10`\n")
	got = strings.NewReplacer("\x1b[1m", "<1>", "\x1b[36m", "<36>", "\x1b[0m", "<0>").Replace(got)
	want := "<1>Why it fails<0>\n<1>It<0> <36>ends early<0><1>.<0> Then <36>sleep 10<0>\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}
