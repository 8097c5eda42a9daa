import type { BatchApi, BatchTarget, TaskCall } from '@tollgate/providers'

import { UpstreamError } from '../../../channels/calls/upstream-error'
import { byteStream } from '../../../http/response/text-stream'
import { callVendor, readReply, sendToVendor, streamToVendor, type TaskAccount } from '../../../tasks/vendor-call'
import type { RelayDeps } from '../../call-context'

/** What a vendor said. `lost`: it may have done what was asked for, and may be asked again. */
export type VendorResult<Value> = { readonly kind: 'done'; readonly value: Value } | VendorFailure

export interface VendorFailure {
  readonly kind: 'refused' | 'lost'
  /** `malformed`: the vendor did what it was asked for, and its reply cannot be read. */
  readonly error: UpstreamError
}

/** The vendor refuses the key, which its operator may have replaced there: what it was asked about is still there. */
const keyRefusals: ReadonlySet<number> = new Set([401, 402, 403])

/** Returns whether the vendor does not have what it was asked about. */
export const isGone = ({ kind, error }: VendorFailure): boolean => kind === 'refused' && !keyRefusals.has(error.status)

const requestTimeout = 408
const tooManyRequests = 429

const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== requestTimeout && status !== tooManyRequests

/** The calls of a batch in the vendor's terms, read while they are sent. */
interface SentLines {
  readonly name: string
  /** With what stands around them. */
  readonly bytes: number
  readonly lines: AsyncGenerator<string, void>
}

/** Requests about one batch to the account that it is at. */
export class VendorRequests {
  readonly target: BatchTarget

  constructor(
    private readonly deps: RelayDeps,
    readonly account: TaskAccount,
    readonly api: BatchApi,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    const { baseUrl, other, setting } = account.channel
    this.target = { baseUrl, other, setting, key: account.key.value }
  }

  /** Makes a request with a short reply. `read` throws TypeError for one of another shape. */
  async send<Value>(call: TaskCall, read: (body: unknown) => Value): Promise<VendorResult<Value>> {
    try {
      const { status, body } = await callVendor(this.deps.ctx, this.account, {}, this.#withHeaders(call))
      return this.#resultOf(status, body, read)
    } catch (error) {
      return { kind: 'lost', error: asUpstreamError(error) }
    }
  }

  /** Sends the calls of the lines that wait, one after the other as they are read. */
  async submit<Value>(
    { name, bytes, lines }: SentLines,
    read: (body: unknown) => Value,
    signal: AbortSignal,
  ): Promise<VendorResult<Value>> {
    const { api, target, deps, account } = this
    const { method = 'POST', contentType, headers = {} } = api.frame(name)
    const call = this.#withHeaders({ method, url: api.sendTo(target, name), headers })
    const body = { contentType, bytes, stream: byteStream(frameLines(api, name, lines), () => {}) }
    try {
      const response = await streamToVendor(deps.ctx, account, call, body, signal)
      return this.#resultOf(response.status, await readReply(response), read)
    } catch (error) {
      return { kind: 'lost', error: asUpstreamError(error) }
    }
  }

  /** Opens a long reply. @throws UpstreamError. */
  async open(call: TaskCall): Promise<Response> {
    const response = await sendToVendor(this.deps.ctx, this.account, {}, this.#withHeaders(call))
    if (response.ok) return response
    const reply = this.#resultOf(response.status, await readReply(response), () => null)
    throw reply.kind === 'done' ? new TypeError('No reply') : reply.error
  }

  #withHeaders(call: TaskCall): TaskCall {
    return { ...call, headers: { ...this.headers, ...call.headers } }
  }

  #resultOf<Value>(status: number, body: unknown, read: (body: unknown) => Value): VendorResult<Value> {
    const isSuccess = status >= 200 && status < 300
    if (isSuccess) return { kind: 'done', value: valueIn(read, body) }
    const secrets = [this.account.key.value]
    const error = new UpstreamError({ fault: 'refused', status, message: messageIn(body, status), secrets })
    return { kind: isRefusal(status) ? 'refused' : 'lost', error }
  }
}

/** Yields what is sent: the calls, and what stands around them. */
export async function* frameLines(
  api: BatchApi,
  name: string,
  lines: AsyncGenerator<string, void>,
): AsyncGenerator<Uint8Array, void> {
  const { head, between, tail } = api.frame(name)
  let isFirst = true
  for await (const line of lines) {
    yield Buffer.from(`${isFirst ? head : between}${line}`)
    isFirst = false
  }
  yield Buffer.from(tail)
}

/** @throws UpstreamError `malformed` where the reply has another shape. */
function valueIn<Value>(read: (body: unknown) => Value, body: unknown): Value {
  try {
    return read(body)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new UpstreamError({ fault: 'malformed', status: 502, message: cause.message, cause })
  }
}

const asUpstreamError = (cause: unknown): UpstreamError =>
  cause instanceof UpstreamError
    ? cause
    : new UpstreamError({
        fault: 'unreachable',
        status: 502,
        message: cause instanceof Error ? cause.message : 'The connection failed',
        cause,
      })

function messageIn(body: unknown, status: number): string {
  const error = membersOf(membersOf(body)['error'])
  const { message } = error
  return typeof message === 'string' ? message : `HTTP ${status}`
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
