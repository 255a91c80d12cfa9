# METADATA
# title: Demands
# description: What the demands for memory mean, when they exceed a limit, and what to do about it.
package forestall.lib.demand

import data.forestall.lib.amounts
import data.forestall.lib.restarts

# METADATA
# description: True where a limit can be compared. Below 4Mi no container starts, and the limit itself is the cause.
# scope: document
comparable(limit) if {
	limit.state == "present"
	limit.bytes >= 4194304
}

# METADATA
# description: |
#   True where what is taken at once leaves nothing of the limit: the program needs memory beside it. What a
#   variable says that nobody may read is not taken.
# scope: document
taken(ask, limit) if {
	ask.taken
	not ask.assumed
	ask.bytes >= limit.bytes
}

# METADATA
# description: |
#   True where the program may grow beyond the limit by its own bound. A soft limit allows nothing, and files are
#   not its own.
# scope: document
ceiling(ask, limit) if {
	not ask.kind in {"goLimit", "volume"}
	ask.bytes > limit.bytes
}

ceiling(ask, limit) if {
	ask.taken
	ask.bytes >= limit.bytes
}

# METADATA
# description: What the demand means, after its text.
# scope: document
meaning(ask) := sprintf("takes a heap of %s", [amounts.shown(ask.bytes)]) if {
	ask.kind == "heap"
	ask.taken
} else := sprintf(_meanings[ask.kind], [amounts.shown(ask.bytes)])

_meanings := {
	"heap": "allows a heap of %s",
	"oldSpace": "allows an old generation of %s in the heap",
	"data": "keeps up to %s of data",
	"workers": "takes %s",
	"goLimit": "lets the Go runtime collect late until it holds %s",
	"volume": "allows %s of files in memory that count as memory of the container which writes them",
}

# METADATA
# description: What is not known of a demand, as a sentence behind others; empty where nothing is.
# scope: document
doubt(ask) := sprintf(" Whether what runs in this image reads %s is not known.", [ask.variable]) if {
	ask.assumed
} else := ""

# METADATA
# description: When the memory is gone.
# scope: document
moment(ask) := "as soon as it runs" if {
	ask.taken
} else := _moments[ask.kind]

_moments := {
	"heap": "as soon as the heap grows past the limit",
	"oldSpace": "as soon as the heap grows past the limit",
	"data": "as soon as the data grows past the limit",
	"goLimit": "as soon as the heap grows past the limit",
	"volume": "as soon as the files grow past the limit",
}

# METADATA
# description: What follows when a container was killed. It ends a sentence.
# scope: document
restarted(container, ask) := sprintf("%s.", [restarts.after_failure(container)]) if {
	container.restartPolicy == "Never"
} else := sprintf("%s.", [restarts.loop(container)]) if {
	ask.taken
} else := "it is started again, and the same can follow."
