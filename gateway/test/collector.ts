import { eventually } from './eventually'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

interface Collected {
  readonly headers: Headers
  readonly text: string
  readonly body: {
    readonly resourceSpans: readonly {
      readonly resource: { readonly attributes: CollectedSpan['attributes'] }
      readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[]
    }[]
  }
}

/** A collector of traces: what it received, and how it responds. */
export function startCollector() {
  const received: Collected[] = []
  let status = 200
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (status !== 200) return new Response('no', { status })
      if (new URL(request.url).pathname !== '/v1/traces') return new Response('where?', { status: 404 })
      const text = await request.text()
      received.push({ headers: request.headers, text, body: JSON.parse(text) as Collected['body'] })
      return Response.json({})
    },
  })
  const spans = () =>
    received.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  return {
    url: String(server.url),
    received,
    spans,
    answerWith: (next: number) => (status = next),
    /** Resolves with the spans of the call with this request id, the server's first. */
    spansOf: (requestId: string) =>
      eventually(async () => {
        await Bun.sleep(1)
        const all = spans()
        const root = all.find((span) => attributesOf(span)['tollgate.request_id'] === requestId)
        return root ? [root, ...all.filter(({ parentSpanId }) => parentSpanId === root.spanId)] : null
      }),
    stop: () => server.stop(true),
  }
}

/** Returns names and plain values of attributes in OTLP's JSON. */
export const attributesOf = ({ attributes }: Pick<CollectedSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
