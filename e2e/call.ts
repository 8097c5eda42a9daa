export interface CallResponse {
  readonly status: number
  readonly requestId: string
  readonly retryAfter: string | null
  readonly text: string
  /** The response broke off: a reset, or an end that HTTP does not allow. */
  readonly isBroken: boolean
}

/** Makes one model call as plain HTTP and reads whatever comes to its end. Fails after the given time. */
export async function call(
  gateway: { url: string },
  key: string,
  body: object,
  options: { path?: string; timeoutMs?: number; isFresh?: boolean } = {},
): Promise<CallResponse> {
  const response = await fetch(gateway.url + (options.path ?? '/v1/chat/completions'), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
    // A new connection instead of a kept-alive one.
    keepalive: options.isFresh !== true,
  })
  const { status, headers } = response
  const read = await readAll(response)
  return { status, requestId: headers.get('x-request-id') ?? '', retryAfter: headers.get('retry-after'), ...read }
}

async function readAll(response: Response): Promise<Pick<CallResponse, 'text' | 'isBroken'>> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw error
    return { text, isBroken: true }
  }
  return { text, isBroken: false }
}

/** Returns the JSON events of a stream without its end mark. Throws where an event is not JSON. */
export const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as Record<string, unknown>)
