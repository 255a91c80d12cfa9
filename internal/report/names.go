package report

// Formats that know rules alone name what is no finding of a rule by these.
const (
	// observedRule stands for failures that a cluster reports and no rule predicts.
	observedRule = "failing-without-prediction"
	// warningRule stands for warnings about the input.
	warningRule = "input-warning"
	// errorRule stands for what could not be read or judged.
	errorRule = "not-judged"
)

// stdin is how an audit names its standard input.
const stdin = "<stdin>"

// home is where the pages of rules are.
const home = "https://github.com/forestall/forestall"

// pageOf is the address of the page of a rule.
func pageOf(rule string) string { return home + "/blob/main/docs/rules/" + rule + ".md" }
