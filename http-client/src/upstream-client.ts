import { LRUCache } from 'lru-cache'

import type { Cancellation } from './cancellation'
import { Exchange, type Outgoing, type UpstreamResponse } from './exchange'
import { checkWrittenAddress } from './forbidden-address'
import { Origin } from './origin'
import { createProxied } from './proxied'
import { createReachability } from './reachability'
import {
  byteLengthOf,
  encodedSlices,
  type RequestBody,
  type MessageReader,
  type UpstreamRequest,
} from './upstream-request'
import type { SocketListener, UpstreamSocket } from './web-socket'
import type { Time } from './time'
import type { ByteReader, Bytes } from './response-body'
import { MalformedResponse } from './response-head'

type SocketRequest = Pick<UpstreamRequest, 'url' | 'headers' | 'proxy'>

interface Target {
  readonly origin: Origin
  /** Host and port as the header wants them. */
  readonly host: string
  /** With its query. */
  readonly path: string
}

const sweepMs = 5_000
const maxKnownTargets = 2_000

export interface ClientOptions {
  /** For the connection and its TLS handshake. */
  readonly connectTimeoutMs: number
  /** The environment names a proxy, which resolves names itself. */
  readonly usesProxy: boolean
  /** Where this process listens: a request to it at this machine is refused. */
  readonly ownPort?: number
}

/** HTTP/1.1 to upstreams, over kept connections. One per process. */
export class UpstreamClient implements Disposable {
  readonly #options: ClientOptions & { readonly ownPort: number }
  readonly #time: Time
  readonly #proxied: ReturnType<typeof createProxied>
  readonly #origins = new Map<string, Origin>()
  // Grows with what it holds; `max` would allocate for all entries at once.
  readonly #targets = new LRUCache<string, Target>({ maxSize: maxKnownTargets, sizeCalculation: () => 1 })
  readonly #endSweeps: () => void

  constructor(options: ClientOptions, time: Time) {
    this.#options = { ...options, ownPort: options.ownPort ?? 0 }
    this.#time = time
    this.#proxied = createProxied(createReachability(time), time.timers, options.connectTimeoutMs)
    this.#endSweeps = time.timers.every(sweepMs, () => {
      for (const origin of this.#origins.values()) origin.closeExpired()
    })
  }

  /**
   * Sends a request and resolves with the head of its response; the body arrives decompressed. When it is cancelled everything ends at
   * once, also while the body is read. Redirects are not followed. `onStart` is called before the upstream may read the request.
   * @throws ConnectTimeout, StaleConnection, ForbiddenAddress, MalformedResponse, TypeError for a header or an address that cannot be used,
   * Error of the connection, Cancelled.
   */
  async send(request: UpstreamRequest, cancellation: Cancellation, onStart?: () => void): Promise<UpstreamResponse> {
    if (request.messages !== undefined) return this.#sendOverSocket(request, request.messages, cancellation)
    const { usesProxy, ownPort } = this.#options
    const { url, headers, body, proxy } = request
    if (usesProxy || proxy !== undefined) {
      checkWrittenAddress(url, ownPort)
      if (proxy !== undefined) checkWrittenAddress(proxy, ownPort)
      onStart?.()
      return this.#proxied(request, cancellation)
    }
    const { origin, host, path } = this.#targetOf(url)
    const head = requestHead({ host, path }, headers, byteLengthOf(body))
    const exchange = new Exchange(joinHeadAndBody(head, body), cancellation, onStart)
    if (!exchange.isOver) origin.serve(exchange)
    const response = await exchange.response
    const coding = response.headers.get('content-encoding')
    return coding === null ? response : { ...response, body: decompress(response.body, coding) }
  }

  /**
   * Opens a WebSocket whose messages are not one response. Few upstreams are called like this, so the code is loaded with the first call.
   * @throws HandshakeRefused with the response of an upstream that refuses; otherwise as `send`.
   */
  async connect(request: SocketRequest, listener: SocketListener, cancellation: Cancellation): Promise<UpstreamSocket> {
    const { openSocket } = await import('./web-socket')
    return openSocket(request, listener, cancellation, { ...this.#options, timers: this.#time.timers })
  }

  [Symbol.dispose](): void {
    this.#endSweeps()
    for (const origin of this.#origins.values()) origin.closeExpired(Infinity)
  }

  async #sendOverSocket(request: UpstreamRequest, reader: MessageReader, cancellation: Cancellation) {
    const { sendOverSocket } = await import('./socket-response')
    const open = (listener: SocketListener) => this.connect(request, listener, cancellation)
    return sendOverSocket(request, reader, cancellation, open)
  }

  #targetOf(address: string): Target {
    const known = this.#targets.get(address)
    if (known) return known
    const url = new URL(address)
    const target = { origin: this.#originOf(url), host: url.host, path: url.pathname + url.search }
    this.#targets.set(address, target)
    return target
  }

  #originOf(url: URL): Origin {
    const known = this.#origins.get(url.origin)
    if (known) return known
    const isSecure = url.protocol === 'https:'
    if (!isSecure && url.protocol !== 'http:') throw new TypeError(`Unknown protocol ${url.protocol}`)
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port) || (isSecure ? 443 : 80)
    const { ownPort, connectTimeoutMs } = this.#options
    const origin = new Origin({ hostname, port, isSecure, ownPort }, connectTimeoutMs, this.#time)
    this.#origins.set(url.origin, origin)
    return origin
  }
}

/** Characters of a text that is encoded at once. */
const shortText = 1024 * 1024

/** A short text goes out in one write. */
function joinHeadAndBody({ text, isAscii }: ReturnType<typeof requestHead>, body: RequestBody): Outgoing {
  if (typeof body === 'string' && body.length > shortText) return encodedSlices(Buffer.from(text, 'latin1'), body)
  if (typeof body === 'string' && isAscii) return text + body
  return [Buffer.from(text, 'latin1'), ...(typeof body === 'string' ? [Buffer.from(body)] : body)]
}

/** Matches what a header's value may not contain: it would end it, or cannot be written. */
const unfit = /[^\t\x20-\x7e\x80-\xff]/
const name = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const beyondAscii = /[\x80-\xff]/

/**
 * Returns a POST request up to its body, and whether it is plain ASCII; otherwise it is written as Latin-1.
 * @throws TypeError for a header that cannot be sent.
 */
function requestHead(
  { host, path }: { readonly host: string; readonly path: string },
  headers: Readonly<Record<string, string>>,
  bodyBytes: number,
): { readonly text: string; readonly isAscii: boolean } {
  let text = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`
  for (const key in headers) {
    const value = headers[key] ?? ''
    if (!name.test(key) || unfit.test(value)) throw new TypeError(`The header ${JSON.stringify(key)} cannot be sent`)
    text += `${key}: ${value.trim()}\r\n`
  }
  text += `Content-Length: ${bodyBytes}\r\n\r\n`
  return { text, isAscii: !beyondAscii.test(text) }
}

const formats: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}

/** Returns a reader of the decompressed body; the same reader when it was not compressed. @throws MalformedResponse for an unknown coding. */
function decompress(body: ByteReader<Bytes>, coding: string | null): ByteReader<Bytes> {
  const name = coding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return body
  const format = formats[name]
  if (!format) throw new MalformedResponse(`The content coding ${name} is not known`)
  // The DOM's types know fewer formats than the runtime.
  return streamOf(body)
    .pipeThrough(new DecompressionStream(format as CompressionFormat))
    .getReader()
}

const streamOf = (body: ByteReader<Bytes>) =>
  new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await body.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  )
