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
