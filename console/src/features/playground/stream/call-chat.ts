import { createParser } from 'eventsource-parser'

import type { Arrived } from '../session/grow-answer'
import type { Facts } from '../session/reducer'
import type { ChatBody } from '../session/request-body'
import { type Answered, answeredBy, ChatError, failIfRefused, postAsUser } from './post-as-user'
import { parseJson } from '../../../lib/text/parse-json'
import { errorIn, frameOf } from './chunk'

/** Callbacks of a call. */
export interface CallEvents {
  readonly onDecision: (answer: { readonly status: number; readonly requestId: string | undefined }) => void
  /** Called with each raw frame before it is parsed. */
  readonly onFrame: (data: string) => void
  readonly onArrived: (arrived: Arrived) => void
  readonly onFacts: (facts: Facts) => void
}

export type CallChat = (body: ChatBody, events: CallEvents, signal: AbortSignal) => Promise<void>

/**
 * Makes one streamed call as the signed-in user. Resolves when the response is complete.
 * @throws ChatError when the gateway refuses, the stream fails or ends early; TypeError without a network; AbortError when aborted.
 */
export const callChat: CallChat = async (body, events, signal) => {
  const response = await postAsUser('/pg/chat/completions', body, signal)
  const answer = answeredBy(response)
  events.onDecision(answer)
  if (answer.requestId) events.onFacts({ requestId: answer.requestId })
  if (!response.ok || !response.body || !isStream(response)) {
    takeWhole(await response.text(), answer, response.ok, events)
    return
  }
  await takeStream(response.body, answer, events, signal)
}

const isStream = ({ headers }: Response) => headers.get('Content-Type')?.includes('text/event-stream') ?? false

async function takeStream(
  body: ReadableStream<Uint8Array>,
  answer: Answered,
  events: CallEvents,
  signal: AbortSignal,
): Promise<void> {
  let isFinished = false
  for await (const data of readFrames(body, signal)) {
    events.onFrame(data)
    if (data === doneMarker) return
    isFinished = take(data, answer, events) || isFinished
  }
  signal.throwIfAborted()
  if (!isFinished) throw new ChatError({ kind: 'broken-off', ...answer })
}

/** Reports the content of a frame. Returns whether it was the last one with text. */
function take(data: string, answer: Answered, events: CallEvents): boolean {
  const value = parseJson(data)
  const error = errorIn(value)
  if (error) throw new ChatError({ kind: 'refused', ...answer, ...error })
  const frame = frameOf(value)
  // An unknown frame can be seen in the raw data.
  if (!frame) return false
  if (frame.arrived) events.onArrived(frame.arrived)
  if (Object.keys(frame.facts).length > 0) events.onFacts(frame.facts)
  return frame.facts.finishReason !== undefined
}

/** Reads a response in one piece: a refusal, or a model that does not stream. */
function takeWhole(text: string, answer: Answered, isOk: boolean, events: CallEvents): void {
  events.onFrame(text)
  failIfRefused(parseJson(text), answer)
  const frame = frameOf(parseJson(text))
  if (!isOk || !frame?.arrived) throw new ChatError({ kind: 'malformed', ...answer })
  events.onArrived(frame.arrived)
  events.onFacts(frame.facts)
}

/** The end mark of a stream. */
const doneMarker = '[DONE]'

/** Yields the data of each server-sent event of a body in order, until its end or the signal. */
export async function* readFrames(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data) })
  const takeFrames = () => {
    const frames = waiting
    waiting = []
    return frames
  }
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // The last event counts even if its closing blank line is missing.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      yield* takeFrames()
      if (done) return
    }
  } finally {
    // Leaving the loop early cancels the call.
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
