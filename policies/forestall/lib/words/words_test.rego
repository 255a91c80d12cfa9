package forestall.lib.words_test

import data.forestall.lib.words

test_duration if {
	every seconds, text in {
		1: "1s",
		120: "120s",
		121: "2 minutes",
		600: "10 minutes",
		630: "10.5 minutes",
		7200: "2 hours",
		86400: "24 hours",
		172800: "2 days",
		397440: "4.6 days",
		21474836470: "681 years",
	} {
		words.duration(seconds) == text
	}
}
