const loopbackPeer = /^(?:127\.|::1$|::ffff:127\.)/
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Headers that proxies add to the requests they pass on, besides those that begin with `x-forwarded`. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
] as const

/** The pages that a browser says its request is from. */
const pageHeaders = ['origin', 'referer'] as const

/**
 * Returns whether a request shows that the gateway can be reached from elsewhere: it is for another host than this machine, from the page
 * of another host, or was passed on by a proxy.
 */
export function isFromElsewhere({ headers }: Pick<Request, 'headers'>): boolean {
  const host = headers.get('host')
  if (host !== null && !loopbackHost.test(host)) return true
  if (proxyHeaders.some((name) => headers.has(name))) return true
  for (const name of headers.keys()) if (name.startsWith('x-forwarded')) return true
  return pageHeaders.some((name) => isOfOtherPage(headers.get(name)))
}

function isOfOtherPage(page: string | null): boolean {
  if (page === null) return false
  return !URL.canParse(page) || !loopbackHost.test(new URL(page).host)
}

/**
 * Returns whether a request was made by someone at this machine: from a loopback address, to a loopback host, on a connection that is kept
 * open, without a trace of a proxy or of another site's page. Proxies in their minimal configuration hide everything but that they
 * close the connection after each request.
 */
export function isLocalCaller(request: Pick<Request, 'headers'>, peer: string): boolean {
  const { headers } = request
  if (!loopbackPeer.test(peer) || !headers.has('host') || isFromElsewhere(request)) return false
  return !/\bclose\b/i.test(headers.get('connection') ?? '')
}
