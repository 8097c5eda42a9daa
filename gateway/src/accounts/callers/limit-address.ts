import ipaddr from 'ipaddr.js'

/** Returns what shares a limit: an IPv4 address, or the 64-bit network of an IPv6 one, which a single customer owns entirely. */
export function limitAddress(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}
