import type { ContentSource, TaskProtocol, TaskResult } from '@tollgate/providers'

import { AppError } from '../platform/app-error'
import { UpstreamError } from '../channels/calls/upstream-error'
import type { Context } from '../context'
import { OutboundRefused } from '../platform/net/outbound/outbound'
import type { TaskRow } from '../platform/store/tables'
import { findTaskResponse, imagesOf } from './task-answers'
import { accountOf, isRunHere, protocolOf } from './task-account'
import { openStored, type OpenResult } from './open-stored'
import type { StoredResult } from './task-store'
import { callVendor, contentTimeoutMs, sendToVendor, taskTarget, type TaskAccount } from './vendor-call'

type Deps = Pick<
  Context,
  'catalog' | 'clock' | 'config' | 'database' | 'fetch' | 'log' | 'outbound' | 'seal' | 'timers'
>

/**
 * Resolves with the bytes of a result: as they are kept, or as they come from the vendor. `range` is the client's, for players that jump.
 * @throws AppError `task.result_none`, `upstream.failed`; UpstreamError.
 */
export async function openResult(
  deps: Deps,
  row: TaskRow,
  result: StoredResult,
  range: string | null = null,
): Promise<OpenResult> {
  const stored = result.kept && (await openStored(deps, result.kept, range))
  if (stored)
    return stored instanceof Response
      ? openResponse(stored, result)
      : { ...stored, contentType: safeType(stored.contentType, result) }
  const account = accountOf(deps, row)
  const protocol = account && protocolOf(account, row)
  const source = await locateContent(deps, { row, result, account, protocol })
  if (source instanceof Response) return openResponse(source, result)
  if ('base64' in source) {
    const body = new Uint8Array(Buffer.from(source.base64, 'base64'))
    return { status: 200, contentType: safeType(source.contentType, result), headers: {}, body }
  }
  const headers = { accept: '*/*', ...(range !== null && { range }) }
  return openResponse(await fetchAddress(deps, account, protocol, { ...source, headers }), result)
}

interface Sought {
  readonly row: TaskRow
  readonly result: TaskResult
  readonly account: TaskAccount | null
  readonly protocol: TaskProtocol | null
}

/** Resolves with where the bytes are, or with the response that has them. */
async function locateContent(
  deps: Deps,
  { row, result, account, protocol }: Sought,
): Promise<ContentSource | Response> {
  if (result.url !== undefined) return { url: result.url, needsKey: result.isSecret === true }
  if (isRunHere(row)) return readStoredImage(deps, row, result)
  if (!account || !protocol?.content) throw new AppError('task.result_none', { params: { id: row.public_id } })
  const { content } = protocol
  const call = content.call(result, { vendorId: row.vendor_id }, taskTarget(deps, account))
  if (!content.read) {
    const response = await sendToVendor(deps, account, protocol, call, contentTimeoutMs)
    const url = redirectIn(response, call.url)
    if (url === null) return response
    await response.body?.cancel()
    return { url }
  }
  const reply = await callVendor(deps, account, protocol, call)
  if (reply.status < 200 || reply.status >= 300) throw failureOf(reply.status)
  try {
    return content.read(reply, result)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new UpstreamError({ fault: 'malformed', status: 502, message: cause.message, cause })
  }
}

/** An image that came within the answer. @throws AppError `task.result_none` once the answer is not kept any more. */
async function readStoredImage(deps: Deps, { public_id: id }: TaskRow, { fileId }: TaskResult): Promise<ContentSource> {
  const storedResponse = await findTaskResponse(deps, id)
  const image = storedResponse && imagesOf(storedResponse.body)[Number(fileId)]
  if (image?.base64 === undefined) throw new AppError('task.result_none', { params: { id } })
  return { base64: image.base64, contentType: image.contentType }
}

interface Address {
  readonly url: string
  readonly needsKey?: boolean
  readonly headers: Readonly<Record<string, string>>
}

/**
 * An address at the channel's own host is called as the channel is. Any other is one that a stranger entered: a vendor's reply must not
 * lead into the operator's network, be it with the key or through the channel's proxy.
 */
async function fetchAddress(
  deps: Deps,
  account: TaskAccount | null,
  protocol: TaskProtocol | null,
  { url, needsKey = false, headers }: Address,
): Promise<Response> {
  const isAtVendor = account !== null && isAt(url, account.channel.baseUrl)
  const isOwn = isAtVendor || (account !== null && (needsKey || Boolean(account.channel.setting.proxy)))
  if (!isOwn) return openOutside(deps, url, headers)
  if (!isAtVendor) await deps.outbound.requirePublic(url).catch(refusedOutside)
  const auth = needsKey ? (protocol?.auth ? { auth: protocol.auth } : {}) : { auth: () => ({}) }
  const response = await sendToVendor(deps, account, auth, { method: 'GET', url, headers }, contentTimeoutMs)
  const location = redirectIn(response, url)
  if (location === null) return response
  await response.body?.cancel()
  return openOutside(deps, location, headers)
}

/** Returns where a response points to: a signed address, which needs no key and must not get one. Null for any other response. */
function redirectIn({ status, headers }: Response, from: string): string | null {
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null || !URL.canParse(location, from)) return null
  return new URL(location, from).href
}

function openOutside({ outbound }: Deps, url: string, headers: Address['headers']): Promise<Response> {
  return outbound.open({ method: 'GET', url, headers, timeoutMs: contentTimeoutMs }).catch(refusedOutside)
}

function refusedOutside(cause: unknown): never {
  const code = cause instanceof OutboundRefused ? 'upstream.failed' : 'upstream.unreachable'
  throw new AppError(code, { params: { status: 502 }, cause })
}

const isAt = (url: string, baseUrl: string): boolean =>
  URL.canParse(url) && URL.canParse(baseUrl) && new URL(url).host === new URL(baseUrl).host

/** What a player needs to jump within a video. */
const passed = ['content-length', 'content-range', 'accept-ranges'] as const

async function openResponse(response: Response, result: TaskResult): Promise<OpenResult> {
  const { status, headers, body } = response
  if ((status !== 200 && status !== 206) || !body) {
    await body?.cancel()
    throw failureOf(status)
  }
  // The runtime unpacks a packed body, whose length is then another.
  const isPacked = headers.has('content-encoding')
  const forwarded = passed.flatMap((name) => {
    const value = headers.get(name)
    return value === null || (isPacked && name === 'content-length') ? [] : [[name, value] as const]
  })
  return {
    status,
    contentType: safeType(headers.get('content-type') ?? '', result),
    headers: Object.fromEntries(forwarded),
    body,
  }
}

const failureOf = (status: number) => new AppError('upstream.failed', { params: { status } })

const usualTypes = { image: 'image/png', video: 'video/mp4', audio: 'audio/mpeg' } as const

/** Returns the vendor's type where it is one of pictures, videos or sounds; no vendor makes our site serve a document. */
function safeType(type: string, { kind }: TaskResult): string {
  const plain = /^(?:image|video|audio)\/[\w.+-]+/.exec(type)?.[0]
  return plain !== undefined && !plain.includes('svg') ? plain : usualTypes[kind]
}
