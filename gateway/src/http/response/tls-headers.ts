/**
 * For a browser that uses TLS: it never connects without TLS again, not even when an address is typed without a scheme. Sibling hosts are
 * unaffected.
 */
export const tlsHeaders = { 'Strict-Transport-Security': 'max-age=31536000' } as const

/** On a page over TLS also: the page that opened it keeps no reference to its window. Browsers complain about this header without TLS. */
const tlsPageHeaders = { ...tlsHeaders, 'Cross-Origin-Opener-Policy': 'same-origin' } as const

export function withTlsHeaders(page: Response): Response {
  for (const [name, value] of Object.entries(tlsPageHeaders)) page.headers.set(name, value)
  return page
}
