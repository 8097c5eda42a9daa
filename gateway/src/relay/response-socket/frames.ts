import { isErrorCode, statusOf } from '@tollgate/contract'
import {
  errorStatus,
  errorType,
  objectOf,
  parsedObject,
  serverEvent,
  SseFrames,
  textOf,
  type ServerEvent,
} from '@tollgate/dialects'

import { browserHeaders } from '../delivery/response-headers'
import type { Failure } from '../errors/failure'

/** What an event is sent with beside its own members. */
export interface FrameMembers {
  /** The name of the conversation; empty: it has none. */
  readonly streamId: string
  /** Those that an HTTP response would have had; null: they were sent. */
  readonly headers: Readonly<Record<string, string>> | null
}

/** Returns an event as the client gets it. Most are sent as they are. */
export function frameOf(event: string, { streamId, headers }: FrameMembers): string {
  if ((streamId === '' && headers === null) || !event.startsWith('{"')) return event
  const members = { ...(streamId !== '' && { stream_id: streamId }), ...(headers && { headers }) }
  return `${JSON.stringify(members).slice(0, -1)},${event.slice(1)}`
}

interface ErrorFrame {
  readonly status: number
  readonly error: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the frame of an error. https://www.openresponses.org/specification */
const errorFrame = ({ status, error, headers }: ErrorFrame, streamId: string): string =>
  JSON.stringify({
    type: 'error',
    ...(streamId !== '' && { stream_id: streamId }),
    status,
    error,
    ...(headers && { headers }),
  })

export const failureFrame = ({ status, type, code, message, param }: Failure): string =>
  errorFrame({ status, error: { type, code, message, param } }, '')

/** Resolves with the frame for what an HTTP call would have been refused with. */
export async function refusalFrame(response: Response, streamId: string): Promise<string> {
  const { error } = parsedObject(await response.text()) ?? {}
  return errorFrame({ status: response.status, error, headers: headersOf(response) }, streamId)
}

/** Returns the headers that say something of a call: its id, what is left of limits, what was left out of it, how long to wait. */
export const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !(name in browserHeaders) && !transportHeaders.has(name)))
const transportHeaders: ReadonlySet<string> = new Set(['content-type', 'content-length', 'connection', 'upgrade'])

/** Returns the frame for an event by which a stream tells that it failed. */
export function errorFrameOf(event: string, streamId: string): string {
  const reported = parsedObject(event) ?? {}
  const { type: _, sequence_number: _number, ...own } = reported
  const { code, message, param, type } = { ...own, ...objectOf(reported['error']) }
  const status = statusOfError(textOf(code), textOf(type))
  const error = {
    type: textOf(type) || errorType(status, textOf(code)),
    code: textOf(code) || 'server_error',
    message: textOf(message),
    param: param ?? null,
  }
  return errorFrame({ status, error }, streamId)
}

/** The status went with the head of the response, before anything failed. */
const statusOfError = (code: string, type: string): number =>
  isErrorCode(code) ? statusOf(code) : (errorStatus({ message: '', code, type, param: null }) ?? 500)

const decoder = new TextDecoder()

/** Yields the events of a stream as they arrive; those that arrived together at once. Reads no further than it is asked to. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly ServerEvent[], void> {
  const frames = new SseFrames()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const read = frames.push(value)
      if (read === null) continue
      let start = read.start
      yield read.ends.flatMap((end) => {
        const event = serverEvent(decoder.decode(read.bytes.subarray(start, end)))
        start = end
        return event ?? []
      })
    }
    const rest = frames.rest()
    const last = rest.length === 0 ? null : serverEvent(decoder.decode(rest))
    if (last) yield [last]
  } finally {
    reader.cancel().catch(() => {})
  }
}
