import ipaddr from 'ipaddr.js'

import type { ApiKey } from '../../accounts/callers/account'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** The parsed allow list of a key; a key object lives until its row changes. */
interface AddressRule {
  readonly ranges: readonly Range[]
  /** The last address that was allowed: most keys are used from one. */
  last: string
  isLastAllowed: boolean
}

const rules = new WeakMap<ApiKey, AddressRule>()

/** Returns whether the key may be used from this address. A key without valid entries may be used from everywhere. */
export function isAddressAllowed(key: ApiKey, address: string): boolean {
  if (key.allowedIps.length === 0) return true
  const rule = ruleOf(key)
  if (rule.last === address) return rule.isLastAllowed
  rule.last = address
  rule.isLastAllowed = isWithin(rule.ranges, address)
  return rule.isLastAllowed
}

function isWithin(ranges: readonly Range[], address: string): boolean {
  if (ranges.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return ranges.some(([start, bits]) => start.kind() === caller.kind() && caller.match(start, bits))
}

function ruleOf(key: ApiKey): AddressRule {
  const known = rules.get(key)
  if (known) return known
  const ranges = key.allowedIps.flatMap((entry) => rangeOf(entry.replaceAll(/[\s,]/g, '')))
  const rule = { ranges, last: '', isLastAllowed: isWithin(ranges, '') }
  rules.set(key, rule)
  return rule
}

function rangeOf(entry: string): Range[] {
  if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)]
  if (!ipaddr.isValid(entry)) return []
  const address = ipaddr.process(entry)
  return [[address, address.kind() === 'ipv4' ? 32 : 128]]
}
