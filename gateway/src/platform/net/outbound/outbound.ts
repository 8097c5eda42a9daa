import type { Config } from '../../config/config'
import { ForbiddenAddress, pinnedRequest } from '@tollgate/http-client'
import { readBeginning } from '@tollgate/http-client'
import { publicAddresses } from './public-address'

export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  /** As a person entered it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body of a POST. */
  readonly body?: string
  /** For everything, redirects included. */
  readonly timeoutMs: number
  /** The rest of a longer response is not read. */
  readonly maxBytes: number
}

interface OutboundResponse {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

/** The only way out to addresses that people enter: webhooks, images. */
export interface Outbound {
  /**
   * Sends over https to a public address, and to the very one that was checked. Each redirect is checked like the first address.
   * @throws OutboundRefused for a forbidden address; OutboundTimeout; Error of the connection.
   */
  send(request: OutboundRequest): Promise<OutboundResponse>
  /** The same for responses of any length: the body is still to be read. */
  open(request: OpenRequest): Promise<Response>
  /**
   * Checks an address that something else will open. A host that is not found passes: a proxy may find it.
   * @throws OutboundRefused for one that `send` would not call.
   */
  requirePublic(url: string): Promise<void>
}

type OpenRequest = Omit<OutboundRequest, 'maxBytes'>

/** Fetches on behalf of the gateway, so that its own address stays unknown. */
export interface Worker {
  readonly url: string
  readonly key: string
}

export interface OutboundDeps {
  readonly config: Pick<Config, 'port' | 'outboundRanges'>
  readonly lookup: (hostname: string) => Promise<readonly { readonly address: string }[]>
  readonly fetch: typeof fetch
  /** To the worker, whose address is the operator's. */
  readonly workerFetch: typeof fetch
  /** The currently configured worker; null: none. */
  readonly worker: () => Worker | null
}

const maxRedirects = 3
const httpsPort = 443

export function createOutbound(parts: OutboundDeps): Outbound {
  const check = publicAddresses(parts.config.outboundRanges, parts.config.port)

  async function sendOnce(request: OpenRequest, signal: AbortSignal): Promise<Response> {
    const url = httpsUrl(request.url)
    const hostname = hostnameOf(url)
    const found = await parts.lookup(hostname)
    for (const { address } of found) check(address, portOf(url))
    const worker = parts.worker()
    if (worker) return sendThroughWorker(parts.workerFetch, worker, request, signal)
    if (found.length === 0) throw new Error('The host has no address')
    const { method, headers, body } = request
    const init = {
      method,
      headers,
      ...(method === 'POST' && { body }),
      redirect: 'manual' as const,
      keepalive: false,
      signal,
    }
    const pinned = pinnedRequest(url, init, found)
    return parts.fetch(pinned.url, pinned.init)
  }

  async function follow(request: OpenRequest, signal: AbortSignal): Promise<Response> {
    let next = request
    for (let redirects = 0; ; redirects += 1) {
      const response = await sendOnce(next, signal)
      const location = response.headers.get('location')
      if (location === null || !keepsMethod(response.status, next.method) || redirects === maxRedirects) return response
      await response.body?.cancel()
      if (!URL.canParse(location, next.url)) throw new OutboundRefused()
      next = { ...next, url: new URL(location, next.url).href }
    }
  }

  async function within<Result>(timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted) throw new OutboundTimeout()
      throw error instanceof ForbiddenAddress ? new OutboundRefused() : error
    }
  }

  return {
    send: (request) =>
      within(request.timeoutMs, async (signal) => readResponse(await follow(request, signal), request.maxBytes)),
    open: (request) => within(request.timeoutMs, (signal) => follow(request, signal)),
    async requirePublic(text) {
      const url = httpsUrl(text)
      const found = await parts.lookup(hostnameOf(url)).catch(() => [])
      try {
        for (const { address } of found) check(address, portOf(url))
      } catch (error) {
        throw error instanceof ForbiddenAddress ? new OutboundRefused() : error
      }
    },
  }
}

/** After others a POST would become a GET, which no receiver of a webhook expects. */
const keepsMethod = (status: number, method: string): boolean =>
  status === 307 || status === 308 || (method === 'GET' && [301, 302, 303].includes(status))

const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
const portOf = ({ port }: URL): number => Number(port) || httpsPort

function httpsUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundRefused()
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.username || url.password) throw new OutboundRefused()
  return url
}

/** The address belongs to a forbidden network, or cannot be used. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused'
  constructor() {
    super('The address is not a public https address')
  }
}

export class OutboundTimeout extends Error {
  override readonly name = 'OutboundTimeout'
  constructor() {
    super('No whole answer came in time')
  }
}

async function readResponse(response: Response, maxBytes: number): Promise<OutboundResponse> {
  const { status, headers } = response
  return { status, contentType: headers.get('content-type') ?? '', body: await readBeginning(response, maxBytes) }
}

/** Such workers take the request as JSON, a JSON body as part of it, and respond as the address did. */
const sendThroughWorker = (
  send: typeof fetch,
  worker: Worker,
  { url, method, headers, body }: OpenRequest,
  signal: AbortSignal,
): Promise<Response> =>
  send(worker.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, key: worker.key, method, headers, ...(method === 'POST' && { body: jsonOf(body) }) }),
    redirect: 'manual',
    signal,
  })

function jsonOf(body = ''): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
