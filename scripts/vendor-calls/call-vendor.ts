import { translationOf, type DialectId, type JsonObject } from '../../dialects/src/index'
import {
  descriptionOf,
  withCredentials,
  type ModeDescription,
  type Provider,
  type Target,
  type Unframer,
} from '../../providers/src/provider'
import { redact } from './redact'
import type { SmallCall } from './small-calls'
import type { VendorAccount } from './account'

/** What a vendor responded. */
export interface VendorResponse {
  /** The vendor's own. */
  readonly dialect: DialectId
  readonly isOk: boolean
  readonly status: number
  /** A stream as server-sent events; without the key and the ids. */
  readonly text: string
}

const timeoutMs = 120_000

/**
 * Calls a vendor once, as the gateway would.
 * @throws Error when the vendor does not serve such calls or is called over a WebSocket, and when it cannot be reached.
 */
export async function callVendor(
  provider: Provider,
  account: VendorAccount,
  call: SmallCall,
  model: string,
): Promise<VendorResponse> {
  const target: Target = {
    ...account,
    model,
    mode: call.mode,
    stream: call.isStream,
    path: '/v1/chat/completions',
    organization: '',
    site: { name: 'Tollgate', url: 'https://tollgate.example' },
  }
  const description = descriptionOf(provider, call, target)
  if (description === undefined) throw new Error(`${provider.id} serves no ${call.mode}`)
  if (description.createMessageReader) throw new Error(`${provider.id} is called over a WebSocket`)
  const body = JSON.stringify(bodyFor(description, call, target))
  const headers = { 'content-type': 'application/json', ...provider.auth(target), ...description.headers?.(target) }
  const request = { url: description.url(target), headers, body }
  const more = await provider.authorize?.(request, target, { fetch, now: Date.now })
  const sent = withCredentials(request, more ?? {})
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(sent.url, { method: 'POST', headers: sent.headers, body, signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const recorded = response.ok ? inCommonForm(bytes, description, call) : bytes
  const text = redact(new TextDecoder().decode(recorded), account.key)
  return { dialect: description.dialect, isOk: response.ok, status: response.status, text }
}

function bodyFor(description: ModeDescription, { dialect, isStream, body }: SmallCall, target: Target): JsonObject {
  const { model } = target
  const payload = {
    ...body,
    model,
    ...(isStream && { stream: true }),
    ...(isStream && description.acceptsStreamOptions && { stream_options: { include_usage: true } }),
  }
  const translated =
    description.dialect === dialect
      ? payload
      : translationOf(dialect, description.dialect)?.(payload, { model, isStream }, model).body
  if (!translated) throw new Error(`The call cannot be translated to ${description.dialect}`)
  return description.shape?.(translated, target).body ?? translated
}

/** Some vendors frame streams in their own form, or stream where a whole response is requested. */
function inCommonForm(
  bytes: Uint8Array<ArrayBuffer>,
  description: ModeDescription,
  { isStream }: SmallCall,
): Uint8Array {
  if (!isStream) return description.collect?.(bytes) ?? bytes
  return description.createUnframer ? unframe(bytes, description.createUnframer()) : bytes
}

const unframe = (bytes: Uint8Array, unframer: Unframer): Uint8Array =>
  Buffer.concat([unframer.push(bytes).slice(), unframer.end()])
