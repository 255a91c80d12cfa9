package webhook

// lines are a heap of those that wait, the one that is served next at the top.
type lines []*line

func (w lines) Len() int { return len(w) }

func (w lines) Less(i, j int) bool {
	if w[i].held != w[j].held {
		return w[i].held < w[j].held
	}
	return w[i].since < w[j].since
}

func (w lines) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].at, w[j].at = i, j
}

// Push is called by package heap.
func (w *lines) Push(x any) {
	l, _ := x.(*line)
	l.at = len(*w)
	*w = append(*w, l)
}

// Pop is called by package heap.
func (w *lines) Pop() any {
	last := len(*w) - 1
	l := (*w)[last]
	(*w)[last] = nil
	*w = (*w)[:last]
	return l
}
