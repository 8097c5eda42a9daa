/** Headers of an upstream that a client may see: they say something about the answer and nothing about the way. */
const passed: ReadonlySet<string> = new Set([
  'content-type',
  'content-language',
  'openai-processing-ms',
  'openai-version',
  'openai-model',
  'retry-after',
])

/** Of the upstream's headers, what the client gets of a whole answer. */
export function answerHeaders(upstream: Pick<Headers, 'get'>, own: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of passed) {
    const value = upstream.get(name)
    if (value !== null) headers[name] = value
  }
  headers['content-type'] ??= 'application/json'
  return Object.assign(headers, own)
}

/** The headers of a stream: no proxy on the way may hold events back. */
export const streamHeaders = (own: Record<string, string>): Record<string, string> => ({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  ...own,
})
