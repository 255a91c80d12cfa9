// Command attack attacks forestall-webhook behind a real API server in the ways that
// docs/threat-model.md names: as a user who may create pods in one namespace, and as a pod that
// posts to the webhook itself.
//
// Evasions try to get something past it, and must fail. Floods try to take it down: meanwhile
// an honest user of another namespace sends pods that would fail, which must be denied, the
// process must stay ready and below the memory that an installation would give it.
//
// The webhook has one processor (GOMAXPROCS=1), GOMEMLIMIT as docs/operating.md advises, and
// knows 10,000 Services. Its memory is measured as the peak of what is resident, and held against the limit
// without the pages of files, which the kernel can take back.
package main
