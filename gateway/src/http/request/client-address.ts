import ipaddr from 'ipaddr.js'
import { lruCache } from '../../platform/lru-cache'

/** How trusted proxies report the client. */
export interface ProxyOptions {
  /** False: they are not believed. */
  readonly ReverseProxyEnabled: boolean
  readonly ReverseProxyProvider: 'nginx' | 'cloudflare'
}

/** Returns whether an address is in one of a list of ranges. */
type RangeTest = (address: string) => boolean

/**
 * Returns the client a request comes from: the peer of the socket, unless that is a trusted proxy. Then Cloudflare's header; or the right-most address of `X-Forwarded-For` that is not a trusted proxy itself; or, where no
 * proxy wrote that header, `X-Real-IP`. Proxies append to the first and many pass the second on as the client sent it. A header that is
 * not an address is ignored.
 */
export function clientAddress(
  request: Request,
  socketAddress: string,
  trustedProxies: readonly string[],
  options: ProxyOptions,
): string {
  const peer = plain(socketAddress) ?? socketAddress
  if (!options.ReverseProxyEnabled || trustedProxies.length === 0) return peer
  const isTrusted = rangeTest(trustedProxies)
  if (!isTrusted(peer)) return peer
  return forwardedAddress(request.headers, options.ReverseProxyProvider, isTrusted) ?? peer
}

/** The headers in which proxies report the client. */
export const forwardingHeaders = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP'] as const

function forwardedAddress(headers: Headers, provider: 'nginx' | 'cloudflare', isTrusted: RangeTest): string | null {
  if (provider === 'cloudflare') return plain(headers.get('cf-connecting-ip'))
  const forwarded = headers.get('x-forwarded-for')
  if (forwarded === null) return plain(headers.get('x-real-ip'))
  const hops = forwarded.split(',').map(plain)
  return hops.findLast((hop) => hop === null || !isTrusted(hop)) ?? null
}

/**
 * Returns whether the client spoke TLS: to us, or to a trusted proxy that says so. What browsers say about the page that sends a request
 * reveals it too, whatever is known about proxies: they lead from a page over TLS to no address without it.
 */
export function isSecure(request: Request, socketAddress: string, trustedProxies: readonly string[]): boolean {
  if (request.url.startsWith('https:')) return true
  if (['origin', 'referer'].some((name) => request.headers.get(name)?.startsWith('https:'))) return true
  const isForwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https'
  return isForwarded && isTrustedProxy(socketAddress, trustedProxies)
}

/** Returns whether a peer is one of the proxies whose headers are trusted. */
export const isTrustedProxy = (socketAddress: string, trustedProxies: readonly string[]): boolean =>
  trustedProxies.length > 0 && rangeTest(trustedProxies)(plain(socketAddress) ?? '')

/** Each client calls many times. */
const plainForms = lruCache<string, { readonly address: string | null }>(10_000)
/** No address is longer. */
const maxAddressLength = 45

/** Returns an address in its shortest form, an IPv4 address written as IPv6 as IPv4. Null when it is not an address. */
function plain(text: string | null): string | null {
  const address = text?.trim() ?? ''
  if (address.length > maxAddressLength) return null
  const known = plainForms.get(address)
  if (known) return known.address
  const form = plainForm(address)
  plainForms.set(address, { address: form })
  return form
}

function plainForm(address: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address
  return ipaddr.IPv6.isValid(address) && !address.includes('%') ? ipaddr.process(address).toString() : null
}

const known = new WeakMap<readonly string[], RangeTest>()

/** The ranges are parsed once for each list. */
function rangeTest(ranges: readonly string[]): RangeTest {
  const test = known.get(ranges) ?? parsedRanges(ranges)
  known.set(ranges, test)
  return test
}

function parsedRanges(ranges: readonly string[]): RangeTest {
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${bitsOf(range)}`))
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return parsed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
  }
}

const bitsOf = (address: string) => (ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128)
