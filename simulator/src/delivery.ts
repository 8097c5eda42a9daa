import type { Answer, StreamAnswer, StreamEvent, WholeAnswer } from './answer'
import type { Behaviour, Fault } from './behaviour'

/** An answer as it will go over the wire, faults included. */
export interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly frames: readonly Buffer[]
  /** Null: the body is chunked. */
  readonly contentLength: number | null
  readonly ending: Ending
  /** Whether the usage it promises still counts: the answer was not replaced by an error. */
  readonly isAnswer: boolean
}

/** `end`: as HTTP wants it. The others happen after the last of `frames`. */
type Ending = 'end' | 'reset' | 'close' | 'stall'

const json = 'application/json'

/** Turn an answer into frames and bend them as the behaviour asks. Pure. */
export function deliveryOf(answer: Answer, behaviour: Behaviour): Delivery {
  const { fault } = behaviour
  if (fault?.kind === 'status') return failed(fault.status, fault.body, fault.headers)
  if (fault?.kind === 'body') return replaced(fault.contentType, fault.text)
  const isHealthy = answer.kind === 'stream' || answer.status < 400
  if (fault?.kind === 'error-in-200' && isHealthy) return errorInside(answer, behaviour, fault)
  return answer.kind === 'whole' ? wholeDelivery(answer, behaviour) : streamDelivery(answer, behaviour)
}

function failed(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Delivery {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
  return { status, headers: { 'Content-Type': json, ...headers }, ...oneFrame(bytes), ending: 'end', isAnswer: false }
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

const oneFrame = (bytes: Buffer) => ({ frames: [bytes], contentLength: bytes.length })

const defaultError = {
  message: 'Simulated error inside an answer',
  type: 'server_error',
  param: null,
  code: 'simulated',
}

function errorInside(answer: Answer, behaviour: Behaviour, fault: Extract<Fault, { kind: 'error-in-200' }>): Delivery {
  const error = { error: fault.error ?? defaultError }
  if (answer.kind === 'whole') return replaced(json, JSON.stringify(error))
  const events = [...answer.events.slice(0, fault.afterFrames ?? 0), { data: JSON.stringify(error) }]
  return {
    ...streamDelivery({ ...answer, events, last: null }, { ...behaviour, fault: undefined }),
    isAnswer: fault.afterFrames !== undefined,
  }
}

function wholeDelivery(answer: WholeAnswer, behaviour: Behaviour): Delivery {
  const plain = Buffer.from(JSON.stringify(answer.body))
  const bytes = behaviour.gzip ? Buffer.from(Bun.gzipSync(plain)) : plain
  const { ending, frameLimit } = endingOf(behaviour.fault)
  const isTruncated = behaviour.fault?.kind === 'truncated'
  const half = bytes.length >> 1
  const sent = isTruncated
    ? [bytes.subarray(0, half)]
    : ending === 'end'
      ? [bytes]
      : [bytes.subarray(0, half), bytes.subarray(half)]
  const headers = {
    'Content-Type': json,
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
  const { ending, frameLimit } = endingOf(behaviour.fault)
  const events = behaviour.done === false || !answer.last ? answer.events : [...answer.events, answer.last]
  const texts = bent(
    events.map((event) => textOf(event, behaviour)),
    behaviour,
  )
  const frames = joined(
    texts.slice(0, frameLimit).map((text) => Buffer.from(text)),
    behaviour.joinFrames ?? 1,
  )
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache',
      ...encodingOf(behaviour),
      ...behaviour.headers,
    },
    frames: behaviour.gzip ? [Buffer.from(Bun.gzipSync(Buffer.concat(frames)))] : frames,
    contentLength: null,
    ending,
    isAnswer: true,
  }
}

const encodingOf = (behaviour: Behaviour): Record<string, string> =>
  behaviour.gzip ? { 'Content-Encoding': 'gzip' } : {}

function textOf(event: StreamEvent, behaviour: Behaviour): string {
  const lineEnd = behaviour.crlf ? '\r\n' : '\n'
  const comment = behaviour.comments ? `: keep-alive${lineEnd}${lineEnd}` : ''
  const name = event.name ? `event: ${event.name}${lineEnd}` : ''
  return `${comment}${name}data: ${event.data}${lineEnd}${lineEnd}`
}

function bent(texts: string[], behaviour: Behaviour): string[] {
  const { fault } = behaviour
  if (fault?.kind === 'malformed-frame') return texts.toSpliced(fault.afterFrames, 0, 'data: {"choices":[{"delta":\n\n')
  if (fault?.kind !== 'truncated') return texts
  const middle = texts.length >> 1
  const frame = texts[middle] ?? ''
  return [...texts.slice(0, middle), frame.slice(0, frame.length >> 1)]
}

function joined(frames: Buffer[], group: number): Buffer[] {
  if (group <= 1) return frames
  return Array.from({ length: Math.ceil(frames.length / group) }, (_, index) =>
    Buffer.concat(frames.slice(index * group, (index + 1) * group)),
  )
}

function endingOf(fault: Fault | undefined): { ending: Ending; frameLimit: number } {
  if (fault?.kind === 'cut') return { ending: 'close', frameLimit: fault.afterFrames }
  if (fault?.kind !== 'reset' && fault?.kind !== 'stall') return { ending: 'end', frameLimit: Infinity }
  return { ending: fault.kind, frameLimit: typeof fault.when === 'object' ? fault.when.afterFrames : 0 }
}
