import { call, eventsIn, type CallResponse } from './call'

/** What a client saw of one call. */
export interface Seen {
  /** 0: no response, the connection failed. */
  readonly status: number
  /** The response was received to its end. */
  readonly isWhole: boolean
  readonly requestId: string
  /** Id of the upstream's response; empty without one. */
  readonly responseId: string
  readonly text: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
}

export interface LoadOptions {
  readonly model: string
  readonly callers: number
  readonly maxTokens?: number
  /** Opens a new connection for each call. */
  readonly isFresh?: boolean
}

/** Clients that call continuously, every second call a stream. */
export interface Load {
  /** In the order of completion. */
  readonly seen: readonly Seen[]
  /** Resolves when this many more calls have ended. */
  more(count: number): Promise<void>
  /** Starts no further call. Resolves with all outcomes when none is in flight. */
  stop(): Promise<readonly Seen[]>
}

/** Refused clients retry soon, but not at once. */
const refusedPauseMs = 20
const messages = [{ role: 'user', content: 'hello' }]

export function startLoad(gateway: { url: string }, key: string, options: LoadOptions): Load {
  const seen: Seen[] = []
  const waiting: { at: number; resolve: () => void }[] = []
  const end = new AbortController()
  const caller = async (index: number) => {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      const call = await callOnce(gateway, key, (index + turn) % 2 === 0, options)
      seen.push(call)
      for (const { at, resolve } of waiting) if (seen.length >= at) resolve()
      if (call.status !== 200) await Bun.sleep(refusedPauseMs)
    }
  }
  const callers = Promise.all(Array.from({ length: options.callers }, (_, index) => caller(index)))
  return {
    seen,
    more: (count) => new Promise((resolve) => waiting.push({ at: seen.length + count, resolve })),
    async stop() {
      end.abort()
      await callers
      return seen
    },
  }
}

export async function callOnce(
  gateway: { url: string },
  key: string,
  stream: boolean,
  { model, maxTokens, isFresh }: LoadOptions,
): Promise<Seen> {
  const startedAt = performance.now()
  const body = { model, messages, stream, ...(maxTokens !== undefined && { max_tokens: maxTokens }) }
  const response = await call(gateway, key, body, { timeoutMs: 30_000, isFresh }).catch(failedConnection)
  const isWhole = !response.isBroken && (!stream || response.text.includes('[DONE]'))
  const responseId = response.status === 200 && isWhole ? responseIdIn(response.text, stream) : ''
  const { status, requestId, text } = response
  return { status, isWhole, requestId, responseId, text, startedAt, endedAt: performance.now() }
}

function failedConnection(error: unknown): CallResponse {
  if (error instanceof DOMException) throw error
  return { status: 0, requestId: '', retryAfter: null, text: String(error), isBroken: true }
}

/** Returns the id that the upstream gave its response. */
export function responseIdIn(text: string, stream: boolean): string {
  const reply = stream ? eventsIn(text)[0] : (JSON.parse(text) as Record<string, unknown>)
  return String(reply?.['id'])
}

/** It got a complete response. */
export const isServed = ({ status, isWhole }: Seen): boolean => status === 200 && isWhole
export const filterServed = (seen: readonly Seen[]): Seen[] => seen.filter(isServed)
