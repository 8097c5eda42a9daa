/** Upstream headers that a client may see: they describe the response and reveal nothing about the route. */
const passed = ['content-language', 'openai-processing-ms', 'openai-version', 'openai-model', 'retry-after'] as const

/** Allowed characters of a field value (RFC 9110, 5.5). The runtime throws for some other characters and sends the rest. */
const isFieldValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** Returns the gateway's own headers of a response with those of the upstream that a client may see. */
export function withPassedHeaders(own: Record<string, string>, upstream: Pick<Headers, 'get'>): Record<string, string> {
  for (const name of passed) {
    const value = upstream.get(name)
    if (value !== null && isFieldValue(value)) own[name] = value
  }
  return own
}

/** Returns the headers of a whole response. The content type is ours: every mode responds with JSON, whatever the upstream declared. */
export function answerHeaders(own: Record<string, string>, upstream: Pick<Headers, 'get'>): Record<string, string> {
  own['content-type'] = 'application/json'
  return withPassedHeaders(own, upstream)
}

/** Returns the headers of a stream: no proxy on the way may buffer events. */
export const streamHeaders = (own: Record<string, string>): Record<string, string> => ({
  ...own,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
})
