package command

// takeOver is the outcome of exec: the program takes the place of the shell.
func takeOver(w *walker, argv []word) outcome {
	if len(argv) == 1 {
		return done
	}
	if !argv[1].known || argv[1].text == "" || argv[1].text[0] == '-' {
		return unfollowed(w, argv)
	}
	o := w.program(argv[1:], true)
	if o.can(falls) {
		o.ways = o.ways&^falls | exits
		o.exit = o.status
	}
	return o
}

// wait is the outcome of wait: without anything in the background it ends at once.
func wait(w *walker, argv []word) outcome {
	switch {
	case w.holds && w.apart == 0 && len(argv) == 1:
		return outcome{ways: stays}
	case w.survey.background:
		return quietly(external, "the script waits for what it started in the background", "", "")
	case len(argv) > 1:
		return outcome{ways: falls}
	}
	return done
}

// lookUp is the outcome of command, which with -v or -V only looks for a name.
func lookUp(w *walker, argv []word) outcome {
	if len(argv) > 1 && argv[1].known && (argv[1].text == "-v" || argv[1].text == "-V") {
		return outcome{ways: falls}
	}
	return unfollowed(w, argv)
}

func read(*walker, []word) outcome {
	return quietly(external, "the script reads standard input", "", "")
}

func kill(*walker, []word) outcome {
	return quietly(anyhow|escapes, "the script sends signals", "", "")
}

func trap(*walker, []word) outcome {
	o := doubtful(anyhow, "the script traps signals", "", "")
	o.traps = true
	return o
}
