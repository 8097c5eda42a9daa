/**
 * Headers of every relay response for browsers. Any page may read it with its visitor's key, as cookies do not count here; but it is data
 * and never a document on the console's origin, whatever an upstream wrote into it.
 */
export const browserHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
} as const

/** Returns the response to a CORS preflight request. */
export function preflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...browserHeaders,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '86400',
      // A page on the internet may call a gateway on its visitor's network, if it has a key.
      ...(request.headers.has('access-control-request-private-network') && {
        'access-control-allow-private-network': 'true',
      }),
    },
  })
}

/** Adds `browserHeaders` to a response that was written without them. */
export function withBrowserHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(browserHeaders)) response.headers.set(name, value)
  return response
}

/** Returns whether a browser would show the response as a page, as it does for a form that another site submits. */
export const isNavigation = (request: Request): boolean => request.headers.get('sec-fetch-mode') === 'navigate'
