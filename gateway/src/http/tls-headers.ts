/**
 * For a browser that came over TLS: it never comes in the clear again, not even when somebody types the address without a
 * scheme. Sister hosts are left alone.
 */
export const tlsHeaders = { 'Strict-Transport-Security': 'max-age=31536000' } as const

/** On a page over TLS also: no page that opened it keeps a hold on its window. Browsers complain about this header elsewhere. */
const tlsPageHeaders = { ...tlsHeaders, 'Cross-Origin-Opener-Policy': 'same-origin' } as const

export function withTlsHeaders(page: Response): Response {
  for (const [name, value] of Object.entries(tlsPageHeaders)) page.headers.set(name, value)
  return page
}
