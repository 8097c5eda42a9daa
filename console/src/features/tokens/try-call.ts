import { EventSourceParserStream } from 'eventsource-parser/stream'
import * as z from 'zod'

export interface TryCall {
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
export async function tryCall({ apiKey, model, question, signal, onText }: TryCall): Promise<string | undefined> {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
