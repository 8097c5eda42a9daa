import * as z from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import { readBounded } from '@tollgate/http-client'
import type { PaymentDeps } from '../provider'
import { isFromService, signedBy, type Merchant } from './merchant'
import type { Parameters } from './signatures'

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** Numbers arrive as numbers or as strings. */
const ResponseMembers = z
  .record(z.string(), z.unknown())
  .transform((members) =>
    Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
      ),
    ),
  )

/** `unsupported`: the service has no such call. `unreachable`: it did not respond, or not as itself. */
export type ServiceResponse =
  | { readonly kind: 'answer'; readonly isDone: boolean; readonly members: Parameters }
  | { readonly kind: 'unsupported' | 'unreachable' }

type Deps = Pick<PaymentDeps, 'clock' | 'fetch' | 'log'>

/**
 * Queries an Epay service about an order or requests a refund. Responses of version 2 are verified; those of version 1 have no signature.
 */
export async function callService(
  deps: Deps,
  merchant: Merchant,
  act: 'order' | 'refund',
  parameters: Parameters,
): Promise<ServiceResponse> {
  // Version 1 sends the key itself.
  if (!isPrivate(merchant.address) && merchant.protocol.version === 1) return { kind: 'unsupported' }
  try {
    const request = requestOf(deps, merchant, act, parameters)
    const response = await deps.fetch(request.url, {
      ...request.init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 404 || response.status === 405) return { kind: 'unsupported' }
    if (!response.ok) return { kind: 'unreachable' }
    const text = (await readBounded(response, maxBytes)).toString('utf8')
    const members = ResponseMembers.safeParse(parsedJson(text)).data
    if (!members) return { kind: 'unsupported' }
    return read(merchant, members)
  } catch (error) {
    deps.log.warn({ err: error }, 'the Epay service could not be reached')
    return { kind: 'unreachable' }
  }
}

function read(merchant: Merchant, members: Parameters): ServiceResponse {
  if (merchant.protocol.version === 1) return { kind: 'answer', isDone: members['code'] === '1', members }
  const isDone = members['code'] === '0'
  // A refusal moves nothing, and not all services sign it.
  if (isDone && !isFromService(merchant, members)) return { kind: 'unreachable' }
  return { kind: 'answer', isDone, members }
}

/** By TLS, or on the same machine. */
function isPrivate(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

function requestOf({ clock }: Deps, merchant: Merchant, act: 'order' | 'refund', parameters: Parameters) {
  const { address, id, protocol } = merchant
  if (protocol.version === 2) {
    const timestamp = String(clock.seconds())
    const body = new URLSearchParams(signedBy(merchant, { pid: id, ...parameters, timestamp }))
    return { url: `${address}/api/pay/${act === 'order' ? 'query' : 'refund'}`, init: { method: 'POST', body } }
  }
  const sent = new URLSearchParams({ act, pid: id, key: protocol.key, ...parameters })
  if (act === 'order') return { url: `${address}/api.php?${sent.toString()}`, init: { method: 'GET' } }
  return { url: `${address}/api.php?act=refund`, init: { method: 'POST', body: sent } }
}
