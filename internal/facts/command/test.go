package command

import "strconv"

// testStatus is the exit status of test(1) where the arguments alone decide it,
// as in the loop "while [ 1 ]".
func testStatus(name string, args []word) status {
	if name == "[" {
		if len(args) == 0 || !args[len(args)-1].known || args[len(args)-1].text != "]" {
			return status{}
		}
		args = args[:len(args)-1]
	}
	for _, a := range args {
		if !a.known {
			return status{}
		}
	}
	switch len(args) {
	case 0:
		return exactly(1)
	case 1:
		return truth(args[0].text != "")
	case 2:
		return unaryTest(args[0].text, args[1].text)
	case 3:
		return binaryTest(args[0].text, args[1].text, args[2].text)
	}
	return status{}
}

func truth(holds bool) status {
	if holds {
		return success
	}
	return exactly(1)
}

func unaryTest(operator, operand string) status {
	switch operator {
	case "-n":
		return truth(operand != "")
	case "-z", "!":
		return truth(operand == "")
	}
	return status{}
}

func binaryTest(left, operator, right string) status {
	switch operator {
	case "=":
		return truth(left == right)
	case "!=":
		return truth(left != right)
	}
	a, errA := strconv.ParseInt(left, 10, 32)
	b, errB := strconv.ParseInt(right, 10, 32)
	if errA != nil || errB != nil {
		return status{}
	}
	switch operator {
	case "-eq":
		return truth(a == b)
	case "-ne":
		return truth(a != b)
	case "-lt":
		return truth(a < b)
	case "-le":
		return truth(a <= b)
	case "-gt":
		return truth(a > b)
	case "-ge":
		return truth(a >= b)
	}
	return status{}
}
