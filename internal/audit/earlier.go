package audit

// Earlier is an earlier report that a run was compared with.
type Earlier struct {
	// File that holds it.
	File string `json:"file"`
	// Findings, Patched and Troubles are those of this run that it holds, too. They are not counted in the rest of the Summary.
	Findings Levels `json:"findings"`
	Patched  int    `json:"patched"`
	Troubles int    `json:"troubles"`
	// Gone is how many of its findings and troubles this run does not have any more.
	Gone int `json:"gone"`
}

// Known is how many findings and troubles of the run the earlier report holds.
func (e Earlier) Known() int {
	return e.Findings.Deny + e.Findings.Warn + e.Findings.Audit + e.Patched + e.Troubles
}
