package forestall.lib.demand

# What each needs beside its demand when it does nothing else, as seen: a JVM (OpenJDK 17) with 200m of heap, all of it
# touched, is OOMKilled under 224Mi and runs under 232Mi; Node.js without a program needs 14Mi to 16Mi; stress with
# 15M is OOMKilled under 16Mi and runs under 17Mi, as it does with 128M under 129Mi and 132Mi.
_least_bytes := {"heap": 33554432, "oldSpace": 16777216, "workers": 2097152}

# METADATA
# description: True where a demand leaves less room below the limit than the rest of the process needs.
# scope: document
thin(ask, limit, _) if {
	ask.kind == "goLimit"
	ask.bytes >= limit.bytes
}

thin(ask, _, full) if ask.percent >= full

thin(ask, limit, full) if {
	ask.kind in {"heap", "oldSpace", "data"}
	not ask.percent
	ask.bytes * 100 >= limit.bytes * full
}

thin(ask, limit, _) if {
	not ask.percent
	limit.bytes - ask.bytes < _least_bytes[ask.kind]
}

# METADATA
# description: What nothing is left for, as one clause.
# scope: document
rest(ask) := {
	"heap": "nothing is left for metaspace, threads, code cache and direct buffers",
	"oldSpace": "nothing is left for new objects, buffers and code",
	"data": "nothing is left for client buffers, fragmentation and the copy that a save makes",
	"workers": "too little is left for the program itself",
	"goLimit": "the kernel kills the process before the runtime begins to collect harder",
}[ask.kind]
