package lab

import (
	"fmt"
	"net/netip"
)

// maxLabs is how many labs fit beside each other.
const maxLabs = 64

// addresses are those of one lab. All are out of 198.18.0.0/15, which is set
// aside for tests within a machine: no network that this machine is in uses it.
type addresses struct {
	host, node netip.Addr   // the two ends of the link
	link       int          // length of its prefix
	pods       netip.Prefix // one address for each pod
	services   netip.Prefix
	api        netip.Addr // the Service "kubernetes": the first of services
	dns        netip.Addr // where pods ask for names; nobody answers
}

// addressesOf gives each number its own.
func addressesOf(number int) addresses {
	third := byte(number)
	services := netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, 128 + third, 0}), 24)
	return addresses{
		host:     netip.AddrFrom4([4]byte{198, 18, third, 1}),
		node:     netip.AddrFrom4([4]byte{198, 18, third, 2}),
		link:     30,
		pods:     netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, 64 + third, 0}), 24),
		services: services,
		api:      services.Addr().Next(),
		dns:      netip.AddrFrom4([4]byte{198, 18, 128 + third, 10}),
	}
}

// server is the URL of the API server.
func (a addresses) server() string { return fmt.Sprintf("https://%s:6443", a.node) }
