/**
 * Returns a request whose address can be read by everything behind the socket; null for one that names a host that cannot be one. The head of a
 * request without a host, as HTTP/1.0 has it and the checks of old balancers send it, is for this machine.
 */
export function readableRequest(request: Request): Request | null {
  if (URL.canParse(request.url)) return request
  if (request.headers.get('host')) return null
  return URL.canParse(request.url, noHost) ? new Request(new URL(request.url, noHost), request) : null
}

const noHost = 'http://localhost'

/** In the form of every API that may have been called: the path says which, but not to whom. */
export const unreadableHost = (): Response =>
  refusal(400, 'The Host header of the request is not a host.', 'request.host', 'invalid_request_error')

/** For what no handler expected. What it was stands in the log alone. */
export const unexpectedFailure = (): Response =>
  refusal(500, 'The request failed unexpectedly.', 'server.error', 'server_error')

const refusal = (status: number, message: string, code: string, type: string): Response =>
  Response.json({ success: false, message, code, error: { message, type, code, param: null } }, { status })
