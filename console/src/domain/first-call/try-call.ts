import { EventSourceParserStream } from 'eventsource-parser/stream'
import * as z from 'zod'

import { parseJson } from '../../lib/text/parse-json'
import { requestOf, type SnippetDialect } from '../../lib/text/snippets/snippet-request'

export interface TryCall {
  /** Includes `sk-`. */
  readonly apiKey: string
  readonly model: string
  readonly dialect: SnippetDialect
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

/**
 * Makes one streamed call with a token's key, as a program does that speaks this dialect. Resolves with its request id.
 * @throws TryError when the gateway refuses or the stream fails; TypeError without a network; AbortError when aborted.
 */
export async function tryCall(call: TryCall): Promise<string | undefined> {
  const { url, headers, body } = streamedRequestOf(call)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    credentials: 'omit',
    signal: call.signal,
  })
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  const failureOf = (event: unknown, text: string): TryError => {
    const failure = Failure.safeParse(event).data
    return new TryError(failure?.message ?? text.slice(0, 500), response.status, failure && codeOf(failure), requestId)
  }
  if (!response.ok || !response.body) {
    const text = await response.text()
    throw failureOf(parseJson(text), text)
  }
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    if (data === '[DONE]') break
    const event = parseJson(data)
    if (Failure.safeParse(event).success) throw failureOf(event, data)
    const piece = Piece.safeParse(event).data
    if (piece) call.onText(piece)
  }
  return requestId
}

function streamedRequestOf({ apiKey, model, dialect, question }: TryCall) {
  const messages = [{ role: 'user', content: question }]
  const request = requestOf({ address: location.origin, apiKey, model, dialect, messages })
  // Gemini is the one that streams at an address of its own.
  if (dialect === 'gemini')
    return { ...request, url: request.url.replace(/:generateContent$/, ':streamGenerateContent?alt=sse') }
  return { ...request, body: { ...request.body, stream: true } }
}

const Failed = z.object({
  message: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  /** Messages name errors by their type, Gemini by a status. */
  type: z.string().optional(),
  status: z.string().optional(),
})

/** An error of any dialect, as a response or in a stream. */
const Failure = z.union([
  z.object({ error: Failed }).transform(({ error }) => error),
  z
    .object({ type: z.literal('response.failed'), response: z.object({ error: Failed }) })
    .transform((event) => event.response.error),
  Failed.extend({ type: z.literal('error') }).transform((event) => ({ ...event, type: undefined })),
])

const codeOf = ({ code, type, status }: z.output<typeof Failed>): string | undefined =>
  typeof code === 'string' ? code : (namesOfOpenAi[status ?? type ?? ''] ?? status ?? type)

/** By what the other dialects call the same. */
const namesOfOpenAi: Readonly<Record<string, string>> = {
  authentication_error: 'invalid_api_key',
  billing_error: 'insufficient_quota',
  not_found_error: 'model_not_found',
  NOT_FOUND: 'model_not_found',
  UNAUTHENTICATED: 'invalid_api_key',
}

const GeminiPart = z.object({ text: z.string().default(''), thought: z.boolean().default(false) })

/** The text of an event of any dialect. No other event of theirs has this shape. */
const Piece = z.union([
  z
    .object({ choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })) })
    .transform(({ choices }) => choices[0]?.delta.content),
  z.object({ type: z.literal('response.output_text.delta'), delta: z.string() }).transform(({ delta }) => delta),
  z
    .object({
      type: z.literal('content_block_delta'),
      delta: z.object({ type: z.literal('text_delta'), text: z.string() }),
    })
    .transform(({ delta }) => delta.text),
  z
    .object({ candidates: z.array(z.object({ content: z.object({ parts: z.array(GeminiPart) }) })) })
    .transform(({ candidates }) =>
      candidates[0]?.content.parts.map((part) => (part.thought ? '' : part.text)).join(''),
    ),
])
