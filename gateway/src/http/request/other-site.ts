/**
 * Returns whether a page of another site makes this browser send the request. Browsers say so
 * (https://w3c.github.io/webappsec-fetch-metadata/) where the gateway is reached over TLS or on their own machine. Elsewhere `Origin`
 * tells where a form was submitted: other methods, and bodies declared as JSON, need a preflight from there, which is refused.
 */
export function isFromOtherSite({ headers, method, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = headers.get('origin')
  if (origin === null || method !== 'POST' || headers.get('content-type')?.startsWith('application/json')) return false
  const host = headers.get('host') ?? new URL(url).host
  return !URL.canParse(origin) || new URL(origin).host !== host
}
