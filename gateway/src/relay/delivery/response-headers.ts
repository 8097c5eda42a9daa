/** Headers of an upstream that a client may see: they say something about the answer and nothing about the way. */
const passed = ['content-language', 'openai-processing-ms', 'openai-version', 'openai-model', 'retry-after'] as const

/** What a header may hold (RFC 9110, 5.5). The runtime throws for some other characters and sends the rest. */
const isFieldValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** The headers of a whole answer. Its type is ours: every mode answers JSON, whatever the upstream called it. */
export function answerHeaders(upstream: Pick<Headers, 'get'>, own: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const name of passed) {
    const value = upstream.get(name)
    if (value !== null && isFieldValue(value)) headers[name] = value
  }
  return Object.assign(headers, own)
}

/** The headers of a stream: no proxy on the way may hold events back. */
export const streamHeaders = (own: Record<string, string>): Record<string, string> => ({
  ...own,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
})
