import ipaddr from 'ipaddr.js'

import type { ApiKey } from '../accounts/account-cache'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Ranges of a key, parsed once: a key object lives until its row changes. */
const parsed = new WeakMap<ApiKey, readonly Range[]>()

/** Whether the key may be used from this address. A key without valid entries may be used from everywhere. */
export function isAddressAllowed(key: ApiKey, address: string): boolean {
  if (key.allowedIps.length === 0) return true
  const ranges = rangesOf(key)
  if (ranges.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return ranges.some(([start, bits]) => start.kind() === caller.kind() && caller.match(start, bits))
}

function rangesOf(key: ApiKey): readonly Range[] {
  const known = parsed.get(key)
  if (known) return known
  const ranges = key.allowedIps.flatMap((entry) => rangeOf(entry.replaceAll(/[\s,]/g, '')))
  parsed.set(key, ranges)
  return ranges
}

function rangeOf(entry: string): Range[] {
  if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)]
  if (!ipaddr.isValid(entry)) return []
  const address = ipaddr.process(entry)
  return [[address, address.kind() === 'ipv4' ? 32 : 128]]
}
