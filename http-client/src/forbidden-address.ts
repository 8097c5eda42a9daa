import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/**
 * Addresses that serve no model, though an administrator may enter them: the link-local networks and the few other addresses at which
 * clouds hand a machine its credentials. Private networks are allowed, as local models run there.
 */
const forbiddenRanges = [
  '169.254.0.0/16',
  'fe80::/10',
  // AWS and Google Cloud over IPv6; Alibaba Cloud; Azure; Oracle Cloud.
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
].map((range) => ipaddr.parseCIDR(range))

/** An upstream's address is one that the gateway refuses to connect to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
  constructor() {
    super('The address belongs to this machine or its cloud and is not allowed')
  }
}

/**
 * Throws for cloud metadata addresses and for the gateway's own port. `ownPort` 0: unknown, which is only so where the system chose it.
 * @throws ForbiddenAddress
 */
export function checkAddress(address: string, port: number, ownPort: number): void {
  const plain = address.replace(/%.*$/s, '')
  if (!ipaddr.isValid(plain)) return
  const parsed = unwrapNat64(ipaddr.process(plain))
  const isForbidden = forbiddenRanges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits))
  if (isForbidden || (port === ownPort && ownPort !== 0 && isOwn(parsed))) throw new ForbiddenAddress()
}

/** Returns the IPv4 address that a NAT64 gateway would reach, otherwise the same address. */
function unwrapNat64(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.range() !== 'rfc6052' || !(address instanceof ipaddr.IPv6)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.some((entry) => ipaddr.process(entry.address.replace(/%.*$/s, '')).toString() === address.toString())
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)

/** Checks an address that a proxy resolves, as far as it is numeric. @throws ForbiddenAddress */
export const checkWrittenAddress = (url: string, ownPort: number): void => {
  const parsed = new URL(url)
  checkAddress(bare(parsed.hostname), portOf(parsed), ownPort)
}

/** Resolves with the addresses of a host, after checking them; a host that cannot be found fails by itself. @throws ForbiddenAddress */
export async function checkResolvedAddress(
  url: URL,
  ownPort: number,
): Promise<readonly { readonly address: string }[]> {
  const found = await Bun.dns.lookup(bare(url.hostname)).catch(() => [])
  for (const { address } of found) checkAddress(address, portOf(url), ownPort)
  return found
}

type Proxy = NonNullable<BunFetchRequestInit['proxy']>

const addressOf = (proxy: Proxy): URL =>
  new URL(typeof proxy === 'object' && 'url' in proxy ? proxy.url : String(proxy))

/**
 * Returns a `fetch` that resolves and checks the address before each request and connects to that very address, unless a proxy resolves it:
 * then the proxy's is checked too. A host that cannot be found fails by itself. Redirects are not followed: they would lead elsewhere unchecked.
 */
export function guardedFetch(send: typeof fetch, ownPort: number): typeof fetch {
  const fetchGuarded = async (input: string | URL | Request, init?: BunFetchRequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const found = await checkResolvedAddress(url, ownPort)
    if (init?.proxy) {
      await checkResolvedAddress(addressOf(init.proxy), ownPort)
      return send(input, { redirect: 'manual', ...init })
    }
    const pinned = pinnedRequest(url, { redirect: 'manual', ...init }, found)
    if (!(input instanceof Request)) return send(pinned.url, pinned.init)
    const headers = new Headers([...input.headers, ...new Headers(pinned.init.headers)])
    return send(new Request(pinned.url, input), { ...pinned.init, headers })
  }
  return Object.assign(fetchGuarded, { preconnect: send.preconnect })
}

/** A request as `fetch` takes it. */
interface Sent {
  readonly url: URL
  readonly init: BunFetchRequestInit
}

/**
 * Returns a request that connects to the very address that was checked: another look-up of the name might find another one. The first address
 * of IPv4 is taken: machines without IPv6 are common, hosts without IPv4 are rare. Without an address the request is returned as it is, and fails
 * by itself.
 */
export function pinnedRequest(
  url: URL,
  init: BunFetchRequestInit,
  found: readonly { readonly address: string }[],
): Sent {
  const address = found.find((one) => !one.address.includes(':'))?.address ?? found[0]?.address
  if (address === undefined) return { url, init }
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  const headers = new Headers(init.headers)
  if (!headers.has('host')) headers.set('Host', url.host)
  // The certificate must be the name's. The runtime keeps connections apart by it, so one that is kept serves this name alone.
  const tls = { ...init.tls, serverName: url.hostname.replace(/^\[|\]$/g, '') }
  return { url: pinned, init: { ...init, headers, ...(url.protocol === 'https:' && { tls }) } }
}
