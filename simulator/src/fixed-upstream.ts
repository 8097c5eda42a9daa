import { isStreamPath, readCall } from './read-call'
import type { WireRequest } from './http/request-reader'
import { listen, type Exchange } from './http/server'
import type { Behaviour } from './behaviour'
import { deliveryOf } from './delivery'
import type { Call } from './dialect'
import { dialectOf } from './dialects'
import { encodeChunk, headOf, lastChunk } from './transmit'

export interface FixedUpstreamOptions {
  readonly port?: number
  /** Completion tokens of each answer; a stream has a frame for each, and some around them. Default 8. */
  readonly tokens?: number
  readonly promptTokens?: number
  /** Milliseconds between the frames of a stream. Default 0: all leave at once, each in its own write. */
  readonly gapMs?: number
}

/** An upstream that says always the same and costs next to nothing, but counts what it served. */
export interface FixedUpstream {
  readonly url: string
  readonly port: number
  /** As in the options; may be changed while no answer is under way. */
  tokens: number
  gapMs: number
  /** Prompt tokens of one response. */
  readonly promptTokens: number
  /** Responses that have begun and are neither served nor aborted. */
  readonly inFlight: number
  readonly served: FixedServed
  stop(): Promise<void>
}

/** Responses whose last byte was sent, and those abandoned before it. Frames and tokens count the former only. */
export interface FixedServed {
  whole: number
  streams: number
  aborted: number
  frames: number
  completionTokens: number
}

const streamMark = Buffer.from('"stream":true')

/** Start one on loopback. It answers every call in the call's own dialect, the first of a kind a little later than those after it. */
export function startFixedUpstream(options: FixedUpstreamOptions = {}): FixedUpstream {
  const promptTokens = options.promptTokens ?? 20
  const served: FixedServed = { whole: 0, streams: 0, aborted: 0, frames: 0, completionTokens: 0 }
  const cachedResponses = new Map<string, FixedResponse>()
  let tokens = options.tokens ?? 8
  let startedCount = 0
  const getResponse = (request: WireRequest, kind: string): FixedResponse => {
    const known = cachedResponses.get(kind)
    if (known) return known
    const response = buildFixedResponse(readCall(request, 1), { tokens, promptTokens, usage: 'always' })
    cachedResponses.set(kind, response)
    return response
  }
  const serve = async (exchange: Exchange): Promise<void> => {
    startedCount += 1
    const { request } = exchange
    const isStream = request.body.includes(streamMark) || isStreamPath(request.target.split('?', 1)[0] ?? '')
    const { writes, completionTokens } = getResponse(request, `${isStream} ${request.method} ${request.target}`)
    for (const [index, bytes] of writes.entries()) {
      if (index > 0) await exchange.wait(upstream.gapMs)
      const sent = exchange.write(bytes)
      if (sent) await sent
    }
    if (exchange.isGone) served.aborted += 1
    else {
      served[isStream ? 'streams' : 'whole'] += 1
      if (isStream) served.frames += writes.length
      served.completionTokens += completionTokens
    }
    exchange.end()
  }
  const server = listen({ hostname: '127.0.0.1', port: options.port ?? 0 }, serve)
  const upstream: FixedUpstream = {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    promptTokens,
    get tokens() {
      return tokens
    },
    set tokens(value) {
      tokens = value
      cachedResponses.clear()
    },
    gapMs: options.gapMs ?? 0,
    get inFlight() {
      return startedCount - served.whole - served.streams - served.aborted
    },
    served,
    stop: () => server.stop(),
  }
  return upstream
}

/** An answer as the bytes that are written, each time the same. */
interface FixedResponse {
  /** One for each frame of a stream: the head goes with the first, the end of the body with the last. */
  readonly writes: readonly Buffer[]
  readonly completionTokens: number
}

/** What the call's dialect says to it. @throws Refusal, RangeError, or Error where it has no such call. */
function buildFixedResponse(call: Call, behaviour: Behaviour): FixedResponse {
  const dialect = dialectOf(call)
  const response = dialect.respond(call, behaviour, { models: [], balance: 0 })
  if (!response) throw new Error(`Nothing is said to ${call.method} ${call.path}`)
  const delivery = deliveryOf(response, behaviour, dialect.wire)
  const isChunked = delivery.contentLength === null
  const frames = isChunked ? delivery.frames.map(encodeChunk) : delivery.frames
  const writes = frames.map((frame, index) =>
    Buffer.concat([
      ...(index === 0 ? [headOf(delivery)] : []),
      frame,
      ...(isChunked && index === frames.length - 1 ? [lastChunk] : []),
    ]),
  )
  return { writes, completionTokens: response.counted?.completionTokens ?? 0 }
}
