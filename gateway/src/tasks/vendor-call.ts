import type { Target, TaskCall, TaskProtocol, TaskReply, TaskTarget } from '@tollgate/providers'

import type { Channel, ChannelKey } from '../channels/catalog/catalog'
import { startClocks, type AttemptClocks } from '../channels/calls/clocks'
import { parseJsonInTurns } from '../channels/calls/parse-response-object'
import { retryAfterOf } from '../channels/calls/retry-after'
import { sentSecrets } from '../channels/calls/sent-secrets'
import {
  authorizeRequest,
  callUpstream,
  isSuccess,
  readResponseBody,
  toUpstreamError,
} from '../channels/calls/upstream-call'
import { UpstreamError } from '../channels/calls/upstream-error'
import { writeForm } from '../channels/calls/write-form'
import type { Context } from '../context'
import { ResponseTooLarge, readBounded } from '@tollgate/http-client'
import type { RequestBody, UpstreamRequest } from '@tollgate/http-client'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'fetch' | 'seal' | 'timers'>

/** The account that a task runs on. */
export interface TaskAccount {
  readonly channel: Channel
  readonly key: ChannelKey
  /** As the upstream names it. */
  readonly upstreamModel: string
}

/** Returns an account as the vendor's functions see it. */
export function taskTarget(
  { catalog, clock }: Pick<Context, 'catalog' | 'clock'>,
  { channel, key, upstreamModel }: TaskAccount,
  { callbackUrl, name }: SubmissionNames = { callbackUrl: null, name: '' },
): TaskTarget {
  const { options } = catalog.current
  return {
    baseUrl: channel.baseUrl,
    key: key.value,
    model: upstreamModel,
    other: channel.other,
    site: { name: options.SystemName, url: options.ServerAddress },
    nowMs: clock.now(),
    callbackUrl,
    name,
  }
}

/** The gateway's own names for a submission, which the vendor is given. */
interface SubmissionNames {
  readonly callbackUrl: string | null
  readonly name: string
}

/** A vendor's reply, with when it makes sense to ask again. */
export interface VendorReply extends TaskReply {
  readonly retryAfterSeconds: number | undefined
}

/** Until the head of a response, and until the end of a reply. */
const timeoutMs = 60_000
const vendorLimits = { firstByteMs: null, idleMs: timeoutMs, totalMs: timeoutMs }
/** Videos are large, and clients slow. */
export const contentTimeoutMs = 3_600_000
/** Some vendors return pictures within the reply. */
const maxReplyBytes = 64 * 1024 * 1024

/**
 * Makes a call about a task and resolves with the reply, whatever its status. Redirects are not followed: they would forward the key.
 * @throws UpstreamError `unreachable`, `silent`, `timeout`, `malformed`, or `refused` for a key that the vendor cannot use.
 */
export async function callVendor(
  deps: Deps,
  account: TaskAccount,
  protocol: Pick<TaskProtocol, 'auth'>,
  call: TaskCall,
): Promise<VendorReply> {
  const response = await sendToVendor(deps, account, protocol, call, timeoutMs)
  const body = await readReply(response)
  const { status, headers } = response
  return { status, body, retryAfterSeconds: retryAfterOf(headers, deps.clock) }
}

/** Resolves with the reply in a response; null for one that is not JSON. @throws UpstreamError `malformed`, `unreachable`. */
export async function readReply(response: Response): Promise<unknown> {
  try {
    return await replyIn(await readBounded(response, maxReplyBytes))
  } catch (cause) {
    if (cause instanceof ResponseTooLarge)
      throw new UpstreamError({ fault: 'malformed', status: 502, message: 'The reply is too large', cause })
    throw new UpstreamError({ fault: 'unreachable', status: 502, message: 'The reply broke off', cause })
  }
}

/** A gateway in front of the vendor responds with these, and may have passed the call on. */
const lostStatuses: ReadonlySet<number> = new Set([502, 504, 520, 524])

/**
 * Submits a task and resolves with the reply, whatever its status.
 * @throws UpstreamError `unanswered` where the vendor may have accepted the task; otherwise as `callVendor`.
 */
export async function submitToVendor(
  deps: Deps & Pick<Context, 'upstreams'>,
  account: TaskAccount,
  protocol: Pick<TaskProtocol, 'auth'>,
  call: TaskCall,
): Promise<VendorReply> {
  const clocks = startClocks(deps, vendorLimits)
  const secrets = [account.key.value]
  let mayBeRead = false
  try {
    const request = await authorizedCall(deps, account, protocol, call, clocks)
    secrets.push(...sentSecrets(request))
    const response = await callUpstream(deps, request, clocks, () => (mayBeRead = true))
    const { status, headers } = response
    const body = await replyIn(await readResponseBody(response, clocks))
    if (body === null && (isSuccess(response) || lostStatuses.has(status)))
      throw new UpstreamError({ fault: 'malformed', status: 502, message: `No reply of the vendor (HTTP ${status})` })
    return { status, body, retryAfterSeconds: retryAfterOf(headers, deps.clock) }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw (mayBeRead ? error.asUnanswered() : error).withSecrets(...secrets)
  } finally {
    clocks.finish()
  }
}

/** Sends a call with what proves who calls. The body of the response is still to be read, within `wholeMs`. */
export async function sendToVendor(
  deps: Deps,
  account: TaskAccount,
  protocol: Pick<TaskProtocol, 'auth'>,
  call: TaskCall,
  wholeMs = contentTimeoutMs,
): Promise<Response> {
  const clocks = startClocks(deps, vendorLimits)
  try {
    const request = await authorizedCall(deps, account, protocol, call, clocks)
    const { url, headers, body, proxy } = request
    return await deps
      .fetch(url, {
        method: call.method,
        headers,
        ...(call.body !== undefined && { body: typeof body === 'string' ? body : new Blob([...body]) }),
        signal: AbortSignal.any([clocks.cancellation.signal, AbortSignal.timeout(wholeMs)]),
        redirect: 'manual',
        ...(proxy !== undefined && { proxy }),
      })
      .catch((cause: unknown) => {
        const error = toUpstreamError(clocks, cause)
        throw error instanceof UpstreamError ? error.withSecrets(...sentSecrets(request)) : error
      })
  } catch (error) {
    throw error instanceof UpstreamError ? error.withSecrets(account.key.value) : error
  } finally {
    clocks.finish()
  }
}

/** A body that is read while it is sent. */
export interface SentBody {
  readonly contentType: string
  readonly bytes: number
  readonly stream: ReadableStream<Uint8Array>
}

/** Sends a long body, and resolves with the response. @throws UpstreamError. */
export async function streamToVendor(
  deps: Deps,
  account: TaskAccount,
  call: Pick<TaskCall, 'method' | 'url' | 'headers'>,
  { contentType, bytes, stream }: SentBody,
  signal: AbortSignal,
): Promise<Response> {
  const clocks = startClocks(deps, { ...vendorLimits, totalMs: contentTimeoutMs })
  try {
    const { url, headers, proxy } = await authorizedCall(deps, account, {}, call, clocks)
    return await deps.fetch(url, {
      method: call.method,
      headers: { ...headers, 'content-type': contentType, 'content-length': String(bytes) },
      body: stream,
      signal: AbortSignal.any([clocks.cancellation.signal, signal]),
      redirect: 'manual',
      ...(proxy !== undefined && { proxy }),
    })
  } catch (cause) {
    const error = toUpstreamError(clocks, cause)
    throw error instanceof UpstreamError ? error.withSecrets(account.key.value) : error
  } finally {
    clocks.finish()
  }
}

/** Returns a call with what proves who calls. @throws UpstreamError as `authorized`. */
function authorizedCall(
  deps: Deps,
  account: TaskAccount,
  protocol: Pick<TaskProtocol, 'auth'>,
  call: TaskCall,
  clocks: AttemptClocks,
): Promise<UpstreamRequest> {
  const { channel } = account
  const { contentType, body } = bodyOf(call)
  const target = fullTarget(deps, account)
  const { auth, authorize } = channel.provider
  const request = {
    url: call.url,
    headers: {
      accept: 'application/json',
      'user-agent': 'Tollgate',
      ...(contentType !== null && { 'content-type': contentType }),
      ...(protocol.auth?.(taskTarget(deps, account)) ?? auth(target)),
      ...call.headers,
    },
    body,
    proxy: channel.setting.proxy || undefined,
  }
  if (protocol.auth !== undefined || authorize === undefined) return authorizeRequest(deps, { request }, clocks)
  const text = typeof body === 'string' ? body : ''
  const signed = {
    request,
    authorize: (tools: Parameters<typeof authorize>[2]) =>
      authorize({ ...request, method: call.method, body: text }, target, tools),
  }
  return authorizeRequest(deps, signed, clocks)
}

function bodyOf({ body, isForm = false }: TaskCall): { contentType: string | null; body: RequestBody } {
  if (body === undefined) return { contentType: null, body: '' }
  if (!isForm) return { contentType: 'application/json', body: JSON.stringify(body) }
  const { contentType, pieces } = writeForm(body)
  return { contentType, body: pieces }
}

/** What a provider's own authentication is told of the call. */
export const fullTarget = (deps: Pick<Context, 'catalog' | 'clock'>, account: TaskAccount): Target => ({
  ...taskTarget(deps, account),
  mode: 'chat',
  stream: false,
  path: '',
  organization: account.channel.organization,
  setting: account.channel.setting,
})

/** Resolves with null for a reply that is not JSON. */
const replyIn = (bytes: Uint8Array): Promise<unknown> => parseJsonInTurns(bytes).catch(() => null)
