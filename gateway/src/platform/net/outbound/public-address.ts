import ipaddr from 'ipaddr.js'

import { checkAddress, ForbiddenAddress } from '@tollgate/http-client'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [base: Address, bits: number]

/** https://www.rfc-editor.org/rfc/rfc4291#section-2.4: everything else is local, mapped or not assigned. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3')
/** https://www.rfc-editor.org/rfc/rfc6052: the IPv4 address is in the last four bytes. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * Returns a check that accepts public addresses, and those of the ranges (CIDR, or single addresses) that the operator opened. The
 * machine's cloud metadata addresses and the gateway's own port stay forbidden. The check throws ForbiddenAddress.
 */
export function publicAddresses(opened: readonly string[], ownPort: number): (address: string, port: number) => void {
  const ranges = opened.map(rangeOf)
  return (address, port) => {
    checkAddress(address, port, ownPort)
    const plain = address.replace(/%.*$/s, '')
    if (!ipaddr.isValid(plain)) throw new ForbiddenAddress()
    const parsed = ipaddr.process(plain)
    if (!isPublic(parsed) && !ranges.some((range) => isIn(parsed, range))) throw new ForbiddenAddress()
  }
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (isIn(address, nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return isIn(address, globalIpv6) && address.range() === 'unicast'
}

const isIn = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
