import type { MessageReader } from '@tollgate/providers'

import { lruCache } from '../../lru-cache'
import type { Config } from '../../config/config'
import type { Clock } from '../../time/clock'
import type { Cancellation } from './cancellation'
import { Exchange, type Outgoing, type UpstreamResponse } from './exchange'
import { checkWrittenAddress } from './forbidden-address'
import { Origin } from './origin'
import { createProxied } from './proxied'
import { createReach } from './reachability'
import { byteLengthOf, encodedSlices, type RequestBody, type UpstreamRequest } from './upstream-request'
import type { SocketListener, UpstreamSocket } from './web-socket'
import type { Timers } from '../../time/timers'
import type { ByteReader, Bytes } from './response-body'
import { MalformedResponse } from './response-head'

/** HTTP/1.1 to upstreams, over kept connections. One per worker. */
export interface UpstreamClient extends Disposable {
  /**
   * Sends a request and resolves with the head of its response; the body arrives decompressed. When it is cancelled everything ends at
   * once, also while the body is read. Redirects are not followed. `onStart` is called before the upstream may read the request.
   * @throws ConnectTimeout, StaleConnection, ForbiddenAddress, MalformedAnswer, TypeError for a header or an address that cannot be used,
   * Error of the connection, Cancelled.
   */
  send(request: UpstreamRequest, cancellation: Cancellation, onStart?: () => void): Promise<UpstreamResponse>
  /**
   * Opens a WebSocket whose messages are not one response.
   * @throws HandshakeRefused with the response of an upstream that refuses; otherwise as `send`.
   */
  connect(request: SocketRequest, listener: SocketListener, cancellation: Cancellation): Promise<UpstreamSocket>
}

type SocketRequest = Pick<UpstreamRequest, 'url' | 'headers' | 'proxy'>

interface Target {
  readonly origin: Origin
  /** Host and port as the header wants them. */
  readonly host: string
  /** With its query. */
  readonly path: string
}

const sweepMs = 5_000
const knownTargets = 2_000

interface Deps {
  readonly config: Pick<Config, 'connectTimeoutMs' | 'usesProxy'> & Partial<Pick<Config, 'port'>>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
}

export function createUpstreamClient({ config, clock, timers }: Deps): UpstreamClient {
  const proxied = createProxied(createReach({ clock, timers }), timers, config.connectTimeoutMs)
  const ownPort = config.port ?? 0
  const origins = new Map<string, Origin>()
  const targets = lruCache<string, Target>(knownTargets)

  function originOf(url: URL): Origin {
    const known = origins.get(url.origin)
    if (known) return known
    const isSecure = url.protocol === 'https:'
    if (!isSecure && url.protocol !== 'http:') throw new TypeError(`Unknown protocol ${url.protocol}`)
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port) || (isSecure ? 443 : 80)
    const origin = new Origin({ hostname, port, isSecure, ownPort }, config.connectTimeoutMs, { clock, timers })
    origins.set(url.origin, origin)
    return origin
  }

  function targetOf(address: string): Target {
    const known = targets.get(address)
    if (known) return known
    const url = new URL(address)
    const target = { origin: originOf(url), host: url.host, path: url.pathname + url.search }
    targets.set(address, target)
    return target
  }

  /** Few vendors are called like this, so the code is loaded with the first call. */
  async function overSocket(sent: UpstreamRequest, reader: MessageReader, cancellation: Cancellation) {
    const { sendOverSocket } = await import('./socket-answer')
    return sendOverSocket(sent, reader, cancellation, (listener) => connect(sent, listener, cancellation))
  }

  async function connect(sent: SocketRequest, listener: SocketListener, cancellation: Cancellation) {
    const { openSocket } = await import('./web-socket')
    const parts = { connectTimeoutMs: config.connectTimeoutMs, ownPort, usesProxy: config.usesProxy, timers }
    return openSocket(sent, listener, cancellation, parts)
  }

  const endSweeps = timers.every(sweepMs, () => {
    for (const origin of origins.values()) origin.closeExpired()
  })

  return {
    connect,
    async send(sent, cancellation, onStart) {
      if (sent.messages !== undefined) return overSocket(sent, sent.messages, cancellation)
      if (config.usesProxy || sent.proxy !== undefined) {
        checkWrittenAddress(sent.url, ownPort)
        if (sent.proxy !== undefined) checkWrittenAddress(sent.proxy, ownPort)
        onStart?.()
        return proxied(sent, cancellation)
      }
      const { url, headers, body } = sent
      const { origin, host, path } = targetOf(url)
      const head = requestHead({ host, path }, headers, byteLengthOf(body))
      const exchange = new Exchange(joinHeadAndBody(head, body), cancellation, onStart)
      if (!exchange.isOver) origin.serve(exchange)
      const response = await exchange.response
      const coding = response.headers.get('content-encoding')
      return coding === null ? response : { ...response, body: decompress(response.body, coding) }
    },
    [Symbol.dispose]() {
      endSweeps()
      for (const origin of origins.values()) origin.closeExpired(Infinity)
    },
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

/** Returns a reader of the decompressed body; the same reader when it was not compressed. @throws MalformedAnswer for an unknown coding. */
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
