import { webSocketFrame } from './http/web-socket-frames'
import type { NamedError } from './behaviour'
import type { JsonObject } from './json'

export interface StreamEvent {
  /** The `event:` line, in dialects that have one. */
  readonly name?: string
  /** JSON text, or the bare text of a terminator. */
  readonly data: string
  /** An exception, in framings that tell it apart. */
  readonly isException?: boolean
}

/** How a dialect writes what every dialect has: errors, and the frames of a stream. */
export interface Wire {
  errorBody(status: number, error: NamedError): JsonObject
  /** An error inside a stream, after this many events. Default: the body as an event. */
  errorEvent?(status: number, error: NamedError, after: number): StreamEvent
  /** Headers of an answer with an error. */
  errorHeaders?(status: number, error: NamedError): Readonly<Record<string, string>>
  /** An answer the vendor failed to finish has a form of its own; elsewhere it ends in an error. */
  readonly hasFailedForm?: boolean
}

/** How the events of a stream become bytes. */
export interface Framing {
  readonly contentType: string
  /** Bytes of one event, of which the first opens the stream. */
  frame(event: StreamEvent, style: FrameStyle): Buffer
  /** Bytes that are not a valid event. */
  createMalformedEvent(style: FrameStyle): Buffer
  /** Bytes after the last event, if the stream comes to its end. */
  readonly closing?: string | Buffer
  /** The connection is open already, so no head comes before the frames. */
  readonly isHeadless?: boolean
}

export interface FrameStyle {
  readonly isFirst: boolean
  readonly crlf: boolean
  /** Noise between the events. */
  readonly comments: boolean
}

const lineEndOf = (style: FrameStyle): string => (style.crlf ? '\r\n' : '\n')

/** Server-sent events. */
export const sse: Framing = {
  contentType: 'text/event-stream; charset=utf-8',
  frame(event, style) {
    const lineEnd = lineEndOf(style)
    const comment = style.comments ? `: keep-alive${lineEnd}${lineEnd}` : ''
    const name = event.name ? `event: ${event.name}${lineEnd}` : ''
    return Buffer.from(`${comment}${name}data: ${event.data}${lineEnd}${lineEnd}`)
  },
  createMalformedEvent: () => Buffer.from('data: {"choices":[{"delta":\n\n'),
}

/** Messages of a WebSocket, closed in order at the end. */
export const webSocketMessages: Framing = {
  contentType: '',
  frame: ({ data }) => webSocketFrame('text', data),
  createMalformedEvent: () => webSocketFrame('text', '{"header":'),
  closing: webSocketFrame('close', Buffer.from([3, 232])),
  isHeadless: true,
}

/** One JSON list, an element at a time. */
export const jsonList: Framing = {
  contentType: 'application/json; charset=UTF-8',
  frame(event, style) {
    const lineEnd = lineEndOf(style)
    return Buffer.from(`${style.isFirst ? '[' : `,${lineEnd}`}${style.comments ? lineEnd : ''}${event.data}`)
  },
  createMalformedEvent: () => Buffer.from(',{"candidates":[{"content":'),
  closing: ']',
}

/** OpenAI's errors. */
export const openaiWire: Wire = {
  errorBody: (_status, { message, type, code }) => ({ error: { message, type, param: null, code } }),
}
