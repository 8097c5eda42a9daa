import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod'

import { loggedCall, type LoggedCall } from '../../lib/api/logged-call'
import { parseJson } from '../../lib/text/parse-json'

/** State of a first call. */
type Trial =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' | 'stopped'; readonly text: string }
  | {
      readonly kind: 'done'
      readonly text: string
      readonly tookMs: number
      /** Its row in the log, once that has it. */
      readonly logged?: LoggedCall | undefined
    }
  | { readonly kind: 'failed'; readonly text: string; readonly error: unknown }

/** Makes a call and follows its response; unmounting aborts it. */
export function useTry() {
  const [trial, setTrial] = useState<Trial>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(requested: Omit<TryCall, 'signal' | 'onText'>) {
    const controller = new AbortController()
    running.current = controller
    const startedAt = performance.now()
    let text = ''
    setTrial({ kind: 'running', text })
    const onText = (piece: string) => {
      text += piece
      setTrial({ kind: 'running', text })
    }
    try {
      const requestId = await tryCall({ ...requested, signal: controller.signal, onText })
      const done = { kind: 'done', text, tookMs: performance.now() - startedAt } as const
      setTrial(done)
      const logged = requestId === undefined ? undefined : await loggedCall(requestId)
      if (!controller.signal.aborted && running.current === controller) setTrial({ ...done, logged })
    } catch (error) {
      setTrial(controller.signal.aborted ? { kind: 'stopped', text } : { kind: 'failed', text, error })
    }
  }

  return { trial, start, stop: () => running.current?.abort() }
}

interface TryCall {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly model: string
  readonly question: string
  readonly signal: AbortSignal
  /** Called with each chunk of the response. */
  readonly onText: (piece: string) => void
}

/** Why a call failed, as the gateway reported it. */
export class TryError extends Error {
  override readonly name = 'TryError'
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message)
  }
}

const Failure = z.object({ error: z.object({ message: z.string(), code: z.string().nullish() }) })
const Chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })),
})

/**
 * Makes one streamed chat call with a token's key, as a program does. Resolves with its request id.
 * @throws TryError when the gateway refuses or the stream fails; TypeError without a network; AbortError when aborted.
 */
async function tryCall({ apiKey, model, question, signal, onText }: TryCall): Promise<string | undefined> {
  const response = await fetch(`${location.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: question }] }),
    credentials: 'omit',
    signal,
  })
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  if (!response.ok || !response.body) throw failureOf(await response.text(), response.status, requestId)
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    if (data === '[DONE]') break
    const event = parseJson(data)
    if (Failure.safeParse(event).success) throw failureOf(data, response.status, requestId)
    const piece = Chunk.safeParse(event).data?.choices[0]?.delta?.content
    if (piece) onText(piece)
  }
  return requestId
}

function failureOf(text: string, status: number, requestId: string | undefined): TryError {
  const error = Failure.safeParse(parseJson(text)).data?.error
  return new TryError(error?.message ?? text.slice(0, 500), status, error?.code ?? undefined, requestId)
}
