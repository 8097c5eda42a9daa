import type { Answer, StreamAnswer, WholeAnswer } from './answer'
import type { StreamEvent } from './stream-event'
import type { Behaviour, Fault, FrameCount, NamedError } from './behaviour'
import { openaiWire, sse, type Framing, type FrameStyle, type Wire } from './wire'

/** An answer as it will go over the wire, faults included. */
export interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly frames: readonly Buffer[]
  /** Null: the body is chunked. `none`: the frames are sent as they are, without a head. */
  readonly contentLength: number | null | 'none'
  readonly ending: Ending
  /** Whether the usage it promises still counts: the answer was not replaced by an error. */
  readonly isAnswer: boolean
}

/** `end`: as HTTP wants it. The others happen after the last of `frames`. */
type Ending = 'end' | 'reset' | 'close' | 'stall'

const json = 'application/json'

/** Turn an answer into frames and bend them as the behaviour asks; the wire says how errors are written. Pure. */
export function deliveryOf(answer: Answer, behaviour: Behaviour, wire: Wire = openaiWire): Delivery {
  const { fault } = behaviour
  if (fault?.kind === 'status') return failed(fault, wire)
  if (fault?.kind === 'body') return replaced(fault.contentType, fault.text)
  if (fault?.kind === 'object-in-200') return objectInside(answer, fault.object)
  if (fault?.kind === 'flood') return flooded(fault)
  if (fault?.kind === 'raw') return rawDelivery(fault.text)
  const isHealthy = answer.kind === 'stream' || answer.status < 400
  if (fault?.kind === 'error-in-200' && isHealthy) return errorInside(answer, behaviour, fault, wire)
  return answer.kind === 'whole' ? wholeDelivery(answer, behaviour) : streamDelivery(answer, behaviour)
}

function failed(fault: Extract<Fault, { kind: 'status' }>, wire: Wire): Delivery {
  const { status, error } = fault
  const body = fault.body ?? (error ? wire.errorBody(status, error) : {})
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const headers = {
    'Content-Type': json,
    ...(error ? wire.errorHeaders?.(status, error) : {}),
    ...fault.headers,
  }
  return { status, headers, ...oneFrame(bytes), ending: 'end', isAnswer: false }
}

function replaced(contentType: string, text: string): Delivery {
  return {
    status: 200,
    headers: { 'Content-Type': contentType },
    ...oneFrame(Buffer.from(text)),
    ending: 'end',
    isAnswer: false,
  }
}

/** A stream ends behind it, as if it had been all. */
function objectInside(answer: Answer, object: unknown): Delivery {
  if (answer.kind === 'whole') return replaced(json, JSON.stringify(object))
  const event = { data: JSON.stringify(object) }
  return { ...streamDelivery({ ...answer, events: [event], last: null }, {}), isAnswer: false }
}

const megabyte = 1024 * 1024

function flooded({ contentType, text, megabytes, isPacked }: Extract<Fault, { kind: 'flood' }>): Delivery {
  const spaces = Buffer.alloc(megabyte, ' ')
  const plain = [Buffer.from(text), ...Array.from({ length: megabytes }, () => spaces)]
  const headers = { 'Content-Type': contentType, ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}) }
  const frames = isPacked ? [Buffer.from(Bun.gzipSync(Buffer.concat(plain)))] : plain
  return { status: 200, headers, frames, contentLength: null, ending: 'end', isAnswer: false }
}

const rawDelivery = (text: string): Delivery => ({
  status: 200,
  headers: {},
  frames: [Buffer.from(text, 'latin1')],
  contentLength: 'none',
  ending: 'close',
  isAnswer: false,
})

const oneFrame = (bytes: Buffer) => ({ frames: [bytes], contentLength: bytes.length })

const defaultError: NamedError = {
  message: 'Simulated error inside an answer',
  type: 'server_error',
  code: 'simulated',
}

function errorInside(
  answer: Answer,
  behaviour: Behaviour,
  fault: Extract<Fault, { kind: 'error-in-200' }>,
  wire: Wire,
): Delivery {
  const { status = 500, error = defaultError } = fault
  if (answer.kind === 'whole') return replaced(json, JSON.stringify(wire.errorBody(status, error)))
  const kept = answer.events.slice(0, framesOf(answer, fault.afterFrames ?? 0))
  const event: StreamEvent = wire.errorEvent?.(status, error, kept.length) ?? {
    data: JSON.stringify(wire.errorBody(status, error)),
  }
  const events = [...kept, event]
  return {
    ...streamDelivery({ ...answer, events, last: null }, { ...behaviour, fault: undefined }),
    isAnswer: fault.afterFrames !== undefined && fault.afterFrames !== 'start-up',
  }
}

function wholeDelivery(answer: WholeAnswer, behaviour: Behaviour): Delivery {
  const plain = Buffer.isBuffer(answer.body) ? Buffer.from(answer.body) : Buffer.from(JSON.stringify(answer.body))
  const bytes = behaviour.gzip ? Buffer.from(Bun.gzipSync(plain)) : plain
  const { ending, frameLimit } = endingOf(answer, behaviour.fault)
  const isTruncated = behaviour.fault?.kind === 'truncated'
  const half = bytes.length >> 1
  const sent = isTruncated
    ? [bytes.subarray(0, half)]
    : ending === 'end'
      ? [bytes]
      : [bytes.subarray(0, half), bytes.subarray(half)]
  const headers = {
    'Content-Type': json,
    ...answer.headers,
    ...encodingOf(behaviour),
    ...behaviour.headers,
  }
  // a cut whole answer is two halves, of which at most the first arrives
  const frames = ending === 'end' ? sent : sent.slice(0, Math.min(frameLimit, 1))
  return {
    status: answer.status,
    headers,
    frames,
    contentLength: isTruncated ? half : bytes.length,
    ending,
    isAnswer: !isTruncated && answer.status < 400,
  }
}

function streamDelivery(answer: StreamAnswer, behaviour: Behaviour): Delivery {
  const { ending, frameLimit } = endingOf(answer, behaviour.fault)
  const framing = answer.framing ?? sse
  const isComplete = behaviour.done !== false
  const events = isComplete && answer.last ? [...answer.events, answer.last] : answer.events
  const framed = events.map((event, index) => framing.frame(event, styleOf(behaviour, index === 0)))
  const closed = isComplete && framing.closing ? [...framed, Buffer.from(framing.closing)] : framed
  const frames = joined(bent(closed, framing, behaviour).slice(0, frameLimit), behaviour.joinFrames ?? 1)
  return {
    status: 200,
    headers: {
      'Content-Type': framing.contentType,
      'Cache-Control': 'no-cache',
      ...answer.headers,
      ...encodingOf(behaviour),
      ...behaviour.headers,
    },
    frames: behaviour.gzip ? [Buffer.from(Bun.gzipSync(Buffer.concat(frames)))] : frames,
    contentLength: framing.isHeadless === true ? 'none' : null,
    ending,
    isAnswer: true,
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
    return frames.toSpliced(fault.afterFrames, 0, framing.malformed(styleOf(behaviour, fault.afterFrames === 0)))
  }
  if (fault?.kind !== 'truncated') return frames
  const middle = frames.length >> 1
  const frame = frames[middle] ?? Buffer.alloc(0)
  return [...frames.slice(0, middle), frame.subarray(0, frame.length >> 1)]
}

function joined(frames: Buffer[], group: number): Buffer[] {
  if (group <= 1) return frames
  return Array.from({ length: Math.ceil(frames.length / group) }, (_, index) =>
    Buffer.concat(frames.slice(index * group, (index + 1) * group)),
  )
}

function endingOf(answer: Answer, fault: Fault | undefined): { ending: Ending; frameLimit: number } {
  if (fault?.kind === 'cut') return { ending: 'close', frameLimit: framesOf(answer, fault.afterFrames) }
  if (fault?.kind !== 'reset' && fault?.kind !== 'stall') return { ending: 'end', frameLimit: Infinity }
  const frameLimit = typeof fault.when === 'object' ? framesOf(answer, fault.when.afterFrames) : 0
  return { ending: fault.kind, frameLimit }
}

function framesOf(answer: Answer, count: FrameCount): number {
  if (count !== 'start-up') return count
  return answer.kind === 'whole' ? 1 : Math.max(answer.events.findIndex(saysSomething), 0)
}

/** In dialects that name their events deltas bring the text; in the others all but the event that says who speaks. */
const saysSomething = ({ name, data }: StreamEvent): boolean =>
  name === undefined
    ? !/"role":"assistant","content":(?:""|null)|"type":"(?:message|content)-start"/.test(data)
    : /[._]delta$/.test(name) && name !== 'message_delta'
