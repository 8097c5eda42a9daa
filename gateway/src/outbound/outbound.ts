import type { Config } from '../config'
import type { Clock } from '../context'
import type { ByteReader } from '../upstream/answer-body'
import { Cancellation } from '../upstream/cancellation'
import { checkHost, checkWrittenAddress, ForbiddenAddress } from '../upstream/forbidden-address'
import { createUpstreamClient, type UpstreamClient } from '../upstream/upstream-client'
import { publicAddresses } from './public-address'

export interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  /** As a person wrote it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Of a POST. */
  readonly body?: string
  /** For everything, redirects included. */
  readonly timeoutMs: number
  /** The rest of a longer answer is not read. */
  readonly mostBytes: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

/** The one door to addresses that people name: webhooks, pictures. */
export interface Outbound {
  /**
   * Over https, to public addresses only; each redirect is checked like the first address.
   * @throws OutboundRefused for an address nobody may name; OutboundTimeout; Error of the connection.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>
  close(): void
}

/** Fetches in the gateway's place, so that its own address stays unknown. */
export interface Worker {
  readonly url: string
  readonly key: string
}

interface Parts {
  readonly config: Pick<Config, 'connectTimeoutMs' | 'usesProxy' | 'port' | 'outboundRanges'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** To the worker, whose address is the operator's. */
  readonly fetch: typeof fetch
  /** As the options name it now; null: none. */
  readonly worker: () => Worker | null
}

const mostRedirects = 3

/** Loads and keeps nothing until the first request. */
export function createOutbound(parts: Parts): Outbound {
  const { config, clock } = parts
  const check = publicAddresses(config.outboundRanges, config.port)
  let client: UpstreamClient | undefined

  async function exchange(request: OutboundRequest, cancellation: Cancellation): Promise<Hop> {
    const url = httpsUrl(request.url)
    checkWrittenAddress(url.href, check)
    await checkHost(url, check)
    const worker = parts.worker()
    if (worker) return byWorker(parts.fetch, worker, request, cancellation)
    client ??= createUpstreamClient({ config, clock, check })
    const { method, headers, body = '', mostBytes } = request
    const sent = { method, url: url.href, headers, body, proxy: undefined }
    const answer = await client.send(sent, cancellation)
    return {
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      location: answer.headers.get('location'),
      body: await readSome(answer.body, mostBytes),
    }
  }

  async function follow(request: OutboundRequest, cancellation: Cancellation): Promise<OutboundAnswer> {
    let next = request
    for (let redirects = 0; ; redirects += 1) {
      const { location, ...answer } = await exchange(next, cancellation)
      if (location === null || !keepsMethod(answer.status, next.method) || redirects === mostRedirects) return answer
      next = { ...next, url: new URL(location, next.url).href }
    }
  }

  return {
    async send(request) {
      const cancellation = new Cancellation()
      const timer = setTimeout(() => cancellation.cancel(), request.timeoutMs)
      try {
        return await follow(request, cancellation)
      } catch (error) {
        if (cancellation.isCancelled) throw new OutboundTimeout()
        throw error instanceof ForbiddenAddress ? new OutboundRefused() : error
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => client?.[Symbol.dispose](),
  }
}

/** An answer, and where it sends on to. */
interface Hop extends OutboundAnswer {
  readonly location: string | null
}

/** After others a POST would become a GET, which no receiver of a webhook means. */
const keepsMethod = (status: number, method: string): boolean =>
  status === 307 || status === 308 || (method === 'GET' && [301, 302, 303].includes(status))

function httpsUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundRefused()
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.username || url.password) throw new OutboundRefused()
  return url
}

/** The address belongs to a network that people may not name, or is none that can be used. */
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

async function readSome(reader: ByteReader, mostBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  while (bytes < mostBytes) {
    const { done, value } = await reader.read()
    if (done || !value) return Buffer.concat(parts)
    // The connection may use its memory again.
    parts.push(value.slice(0, mostBytes - bytes))
    bytes += value.length
  }
  await reader.cancel()
  return Buffer.concat(parts)
}

/** Workers of this kind are asked with the request as JSON and their key. They answer as the address did. */
async function byWorker(
  send: typeof fetch,
  worker: Worker,
  { url, method, headers, body, mostBytes }: OutboundRequest,
  { signal }: Cancellation,
): Promise<Hop> {
  const call = { url, key: worker.key, method, headers, ...(method === 'POST' && { body }) }
  const answer = await send(worker.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    redirect: 'manual',
    signal,
  })
  const read = answer.body?.getReader()
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    location: answer.headers.get('location'),
    body: read ? await readSome(read, mostBytes) : new Uint8Array(),
  }
}
