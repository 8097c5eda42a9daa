import type { SimulatedResponse, StreamResponse, WholeResponse } from './simulated-response'
import type { Behaviour, Fault, FrameCount, NamedError } from './behaviour'
import { type FrameStyle, type Framing, openaiWire, sse, type StreamEvent, type Wire } from './wire'

/** An answer as it will go over the wire, faults included. */
export interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly frames: readonly Buffer[]
  /** Null: the body is chunked. `none`: the frames are sent as they are, without a head. */
  readonly contentLength: number | null | 'none'
  readonly ending: Ending
  /** Whether the usage it promises still counts: the answer was not replaced by an error. */
  readonly isResponse: boolean
  /** It told of its prompt, as some dialects do at the start, before an error replaced it. */
  readonly hasStarted?: boolean
}

/** `end`: as HTTP wants it. The others happen after the last of `frames`. */
type Ending = 'end' | 'reset' | 'close' | 'stall'

const json = 'application/json'

/** Turn an answer into frames and bend them as the behaviour asks; the wire says how errors are written. Pure. */
export function deliveryOf(response: SimulatedResponse, behaviour: Behaviour, wire: Wire = openaiWire): Delivery {
  const { fault } = behaviour
  if (fault?.kind === 'status') return deliverStatus(fault, wire)
  if (fault?.kind === 'body') return deliverBody(fault.contentType, fault.text)
  if (fault?.kind === 'object-in-200') return objectInside(response, fault.object)
  if (fault?.kind === 'flood') return deliverFlood(fault)
  if (fault?.kind === 'raw') return rawDelivery(fault.text)
  const isHealthy = response.kind === 'stream' || response.status < 400
  if (fault?.kind === 'error-in-200' && isHealthy) return errorInside(response, behaviour, fault, wire)
  return response.kind === 'whole' ? wholeDelivery(response, behaviour) : streamDelivery(response, behaviour)
}

function deliverStatus(fault: Extract<Fault, { kind: 'status' }>, wire: Wire): Delivery {
  const { status, error } = fault
  const body = fault.body ?? (error ? wire.errorBody(status, error) : {})
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers = {
    'Content-Type': json,
    ...(error ? wire.errorHeaders?.(status, error) : {}),
    ...fault.headers,
  }
  return { status, headers, ...oneFrame(bytes), ending: 'end', isResponse: false }
}

function deliverBody(contentType: string, text: string): Delivery {
  return {
    status: 200,
    headers: { 'Content-Type': contentType },
    ...oneFrame(Buffer.from(text)),
    ending: 'end',
    isResponse: false,
  }
}

/** A stream ends behind it, as if it had been all. */
function objectInside(response: SimulatedResponse, object: unknown): Delivery {
  if (response.kind === 'whole') return deliverBody(json, JSON.stringify(object))
  const event = { data: JSON.stringify(object) }
  return { ...streamDelivery({ ...response, events: [event], last: null }, {}), isResponse: false }
}

const megabyte = 1024 * 1024

function deliverFlood({ contentType, text, megabytes, isPacked }: Extract<Fault, { kind: 'flood' }>): Delivery {
  const spaces = Buffer.alloc(megabyte, ' ')
  const plain = [Buffer.from(text), ...Array.from({ length: megabytes }, () => spaces)]
  const headers = { 'Content-Type': contentType, ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}) }
  const frames = isPacked ? [Buffer.from(Bun.gzipSync(Buffer.concat(plain)))] : plain
  return { status: 200, headers, frames, contentLength: null, ending: 'end', isResponse: false }
}

const rawDelivery = (text: string): Delivery => ({
  status: 200,
  headers: {},
  frames: [Buffer.from(text, 'latin1')],
  contentLength: 'none',
  ending: 'close',
  isResponse: false,
})

const oneFrame = (bytes: Buffer) => ({ frames: [bytes], contentLength: bytes.length })

const defaultError: NamedError = {
  message: 'Simulated error inside an answer',
  type: 'server_error',
  code: 'simulated',
}

function errorInside(
  response: SimulatedResponse,
  behaviour: Behaviour,
  fault: Extract<Fault, { kind: 'error-in-200' }>,
  wire: Wire,
): Delivery {
  const { status = 500, error = defaultError } = fault
  if (response.kind === 'whole') return deliverBody(json, JSON.stringify(wire.errorBody(status, error)))
  const precedingEvents = response.events.slice(0, framesOf(response, fault.afterFrames ?? 0))
  const event: StreamEvent = wire.errorEvent?.(status, error, precedingEvents.length) ?? {
    data: JSON.stringify(wire.errorBody(status, error)),
  }
  const events = [...precedingEvents, event]
  return {
    ...streamDelivery({ ...response, events, last: null }, { ...behaviour, fault: undefined }),
    isResponse: fault.afterFrames !== undefined && fault.afterFrames !== 'start-up',
    hasStarted: fault.afterFrames === 'start-up',
  }
}

function wholeDelivery(response: WholeResponse, behaviour: Behaviour): Delivery {
  const plain = Buffer.isBuffer(response.body) ? Buffer.from(response.body) : Buffer.from(JSON.stringify(response.body))
  const bytes = behaviour.gzip ? Buffer.from(Bun.gzipSync(plain)) : plain
  const { ending, frameLimit } = endingOf(response, behaviour.fault)
  const isTruncated = behaviour.fault?.kind === 'truncated'
  const half = bytes.length >> 1
  const sent = isTruncated
    ? [bytes.subarray(0, half)]
    : ending === 'end'
      ? [bytes]
      : [bytes.subarray(0, half), bytes.subarray(half)]
  const headers = {
    'Content-Type': json,
    ...response.headers,
    ...encodingOf(behaviour),
    ...behaviour.headers,
  }
  // a cut whole answer is two halves, of which at most the first arrives
  const frames = ending === 'end' ? sent : sent.slice(0, Math.min(frameLimit, 1))
  return {
    status: response.status,
    headers,
    frames,
    contentLength: isTruncated ? half : bytes.length,
    ending,
    isResponse: !isTruncated && response.status < 400,
  }
}

function streamDelivery(response: StreamResponse, behaviour: Behaviour): Delivery {
  const { ending, frameLimit } = endingOf(response, behaviour.fault)
  const framing = response.framing ?? sse
  const isComplete = behaviour.done !== false
  const events = isComplete && response.last ? [...response.events, response.last] : response.events
  const framed = events.map((event, index) => framing.frame(event, styleOf(behaviour, index === 0)))
  const closed = isComplete && framing.closing ? [...framed, Buffer.from(framing.closing)] : framed
  const frames = groupFrames(bent(closed, framing, behaviour).slice(0, frameLimit), behaviour.joinFrames ?? 1)
  return {
    status: 200,
    headers: {
      'Content-Type': framing.contentType,
      'Cache-Control': 'no-cache',
      ...response.headers,
      ...encodingOf(behaviour),
      ...behaviour.headers,
    },
    frames: behaviour.gzip ? [Buffer.from(Bun.gzipSync(Buffer.concat(frames)))] : frames,
    contentLength: framing.isHeadless === true ? 'none' : null,
    ending,
    isResponse: true,
  }
}

const styleOf = (behaviour: Behaviour, isFirst: boolean): FrameStyle => ({
  isFirst,
  crlf: behaviour.crlf === true,
  comments: behaviour.comments === true,
})

const encodingOf = (behaviour: Behaviour): Record<string, string> =>
  behaviour.gzip ? { 'Content-Encoding': 'gzip' } : {}

function bent(frames: Buffer[], framing: Framing, behaviour: Behaviour): Buffer[] {
  const { fault } = behaviour
  if (fault?.kind === 'malformed-frame') {
    return frames.toSpliced(
      fault.afterFrames,
      0,
      framing.createMalformedEvent(styleOf(behaviour, fault.afterFrames === 0)),
    )
  }
  if (fault?.kind !== 'truncated') return frames
  const middle = frames.length >> 1
  const frame = frames[middle] ?? Buffer.alloc(0)
  return [...frames.slice(0, middle), frame.subarray(0, frame.length >> 1)]
}

function groupFrames(frames: Buffer[], group: number): Buffer[] {
  if (group <= 1) return frames
  return Array.from({ length: Math.ceil(frames.length / group) }, (_, index) =>
    Buffer.concat(frames.slice(index * group, (index + 1) * group)),
  )
}

function endingOf(response: SimulatedResponse, fault: Fault | undefined): { ending: Ending; frameLimit: number } {
  if (fault?.kind === 'cut') return { ending: 'close', frameLimit: framesOf(response, fault.afterFrames) }
  if (fault?.kind !== 'reset' && fault?.kind !== 'stall') return { ending: 'end', frameLimit: Infinity }
  const frameLimit = typeof fault.when === 'object' ? framesOf(response, fault.when.afterFrames) : 0
  return { ending: fault.kind, frameLimit }
}

function framesOf(response: SimulatedResponse, count: FrameCount): number {
  if (count !== 'start-up') return count
  return response.kind === 'whole' ? 1 : Math.max(response.events.findIndex(hasContent), 0)
}

/** In dialects that name their events deltas bring the text; in the others all but the event that says who speaks. */
const hasContent = ({ name, data }: StreamEvent): boolean =>
  name === undefined
    ? !/"role":"assistant","content":(?:""|null)|"type":"(?:message|content)-start"/.test(data)
    : /[._]delta$/.test(name) && name !== 'message_delta'
