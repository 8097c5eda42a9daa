import ipaddr from 'ipaddr.js'

import { checkAddress, embedded, ForbiddenAddress, type AddressCheck } from '../upstream/forbidden-address'

/**
 * Returns a check that lets public addresses pass, and those of the ranges (CIDR, or single addresses) that the operator opened.
 * What belongs to the machine's cloud, and the gateway's own port, stay forbidden all the same.
 */
export function publicAddresses(opened: readonly string[], ownPort: number): AddressCheck {
  const ranges = opened.map((range) => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${widthOf(range)}`))
  return (address, port) => {
    checkAddress(address, port, ownPort)
    const plain = address.replace(/%.*$/, '')
    if (!ipaddr.isValid(plain)) return
    const parsed = embedded(ipaddr.process(plain))
    if (parsed.range() === 'unicast') return
    if (!ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits)))
      throw new ForbiddenAddress()
  }
}

const widthOf = (address: string): number => (ipaddr.parse(address).kind() === 'ipv6' ? 128 : 32)
