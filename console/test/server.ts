import { afterEach } from 'bun:test'
import type { ErrorCode } from '@tollgate/contract'

/** A call that the page made. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A refusal in the envelope. */
export class Refusal {
  constructor(
    readonly code: ErrorCode,
    readonly message: string,
    readonly status = 200,
    /** The field it is about. */
    readonly field?: string,
  ) {}
}

type Responder = (call: RecordedCall, headers: Headers, signal: AbortSignal) => unknown

const realFetch = globalThis.fetch

afterEach(() => {
  globalThis.fetch = realFetch
})

/**
 * Simulates the gateway: `{'POST /api/token': ({ body }) => token}`. A response is the envelope's `data`, a Refusal, or a whole Response.
 * Unknown calls respond with 404. Returns the list of calls made.
 */
export function serve(responses: Readonly<Record<string, Responder>>): readonly RecordedCall[] {
  const calls: RecordedCall[] = []
  globalThis.fetch = Object.assign(
    async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init)
      const { pathname, searchParams } = new URL(request.url)
      const text = await request.text()
      const call: RecordedCall = {
        method: request.method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        body: text === '' ? undefined : JSON.parse(text),
      }
      calls.push(call)
      const responder = responses[`${request.method} ${pathname}`]
      return responder
        ? toResponse(await responder(call, request.headers, request.signal))
        : Response.json(failure('route.unknown', `unknown ${request.method} ${pathname}`), { status: 404 })
    },
    { preconnect: realFetch.preconnect },
  )
  return calls
}

function toResponse(result: unknown): Response {
  if (result instanceof Response) return result
  if (result instanceof Refusal)
    return Response.json({ ...failure(result.code, result.message), field: result.field }, { status: result.status })
  return Response.json({ success: true, message: '', request_id: 'req-test', data: result })
}

const failure = (code: ErrorCode, message: string) => ({ success: false, message, code, request_id: 'req-test' })
