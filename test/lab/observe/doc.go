// Package observe reads what became of the pods of a namespace, in the words of
// the API: states and reasons of containers, conditions, events, the endpoints
// of Services and the conditions of Jobs and Deployments.
package observe
