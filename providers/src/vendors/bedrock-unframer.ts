import { anthropicErrorType, dialects, parsedObject } from '@tollgate/dialects'

import { type EventMessage, EventStream } from '../event-stream'
import type { Unframer } from '../provider'

/** The HTTP status that an exception in mid-stream stands for. */
const statusOf: ReadonlyMap<string, number> = new Map([
  ['throttlingException', 429],
  ['validationException', 400],
  ['accessDeniedException', 403],
  ['modelTimeoutException', 408],
  ['serviceUnavailableException', 503],
])
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns the server-sent event that a message stands for; empty where it stands for none. */
type ReadMessage = (type: string, content: string) => Uint8Array

/** Server-sent events out of Amazon's messages. An exception becomes the error event that Claude's own API would send. */
export class BedrockUnframer implements Unframer {
  readonly #stream = new EventStream()
  #isBroken = false

  constructor(private readonly read: ReadMessage) {}

  push(bytes: Uint8Array): Uint8Array {
    if (this.#isBroken) return new Uint8Array()
    this.#stream.add(bytes)
    const events: Uint8Array[] = []
    try {
      for (let message = this.#stream.next(); message !== null; message = this.#stream.next())
        events.push(this.#eventOf(message))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#isBroken = true
      events.push(failure(500, error.message))
    }
    return Buffer.concat(events)
  }

  /** A message that was cut off is ignored: the stream lacks its end, which is seen behind. */
  end(): Uint8Array {
    return new Uint8Array()
  }

  #eventOf({ headers, payload }: EventMessage): Uint8Array {
    const kind = headers.get(':message-type')
    if (kind === 'error') return failure(500, headers.get(':error-message') ?? headers.get(':error-code') ?? '')
    const content = decoder.decode(payload)
    if (kind !== 'exception') return this.read(headers.get(':event-type') ?? '', content)
    const name = headers.get(':exception-type') ?? ''
    const { Message, message = Message } = parsedObject(content) ?? {}
    return failure(statusOf.get(name) ?? 500, typeof message === 'string' && message !== '' ? message : name)
  }
}

/** Claude's events, which InvokeModel packs. */
export function unpackEvent(type: string, content: string): Uint8Array {
  const { bytes } = parsedObject(content) ?? {}
  if (type !== 'chunk' || typeof bytes !== 'string') return new Uint8Array()
  const data = Buffer.from(bytes, 'base64').toString('utf8')
  const { type: name } = parsedObject(data) ?? {}
  return typeof name === 'string' ? eventOf(name, data) : failure(500, 'A message holds no event')
}

/** A line end inside would end the event early; JSON that a server writes has none. */
export const eventOf = (name: string, data: string): Uint8Array =>
  /[\r\n]/.test(data) ? failure(500, 'A message holds no event') : encoder.encode(`event: ${name}\ndata: ${data}\n\n`)

const failure = (status: number, message: string): Uint8Array =>
  dialects['anthropic-messages'].errorEvent({
    status,
    message: message || 'The stream broke off',
    type: anthropicErrorType(status),
    code: '',
    param: null,
  })
