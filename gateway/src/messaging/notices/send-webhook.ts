import { createHmac } from 'node:crypto'

import type { Context } from '../../context'
import { OutboundRefused, OutboundTimeout } from '../../platform/net/outbound/outbound'
import { version } from '../../platform/config/version'

const timeoutMs = 10_000
const maxResponseBytes = 2048

/** A webhook about to be sent. */
export interface Outgoing {
  readonly id: string
  readonly url: string
  readonly body: string
  /** Signs it; null: nothing does. */
  readonly secret: string | null
}

/** The result of an attempt. */
export interface Outcome {
  readonly status: number | null
  readonly response: string
  readonly failure: '' | 'address' | 'timeout' | 'unreachable'
}

/** Sends a webhook once. */
export async function sendWebhook(
  parts: Pick<Context, 'clock' | 'outbound'>,
  { url, ...signed }: Outgoing,
): Promise<Outcome> {
  try {
    const response = await parts.outbound.send({
      method: 'POST',
      url,
      headers: headersOf(parts, signed),
      body: signed.body,
      timeoutMs,
      maxBytes: maxResponseBytes,
    })
    return { status: response.status, response: textOf(response.body), failure: '' }
  } catch (error) {
    return { status: null, response: '', failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Outcome['failure'] {
  if (error instanceof OutboundRefused) return 'address'
  return error instanceof OutboundTimeout ? 'timeout' : 'unreachable'
}

/**
 * The id is the same at each attempt, so that a receiver accepts none twice. Without a secret nothing is signed. One signature covers the body
 * alone, as in other gateways; the other one also the id and the time, so that a copy under another id, or a late one, is not taken for genuine.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function headersOf({ clock }: Pick<Context, 'clock'>, { id, body, secret }: Omit<Outgoing, 'url'>) {
  const time = String(clock.seconds())
  const sign = (text: string, form: 'hex' | 'base64') =>
    createHmac('sha256', secret ?? '')
      .update(text)
      .digest(form)
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Tollgate/${version}`,
    'X-Webhook-Id': id,
    'Webhook-Id': id,
    'Webhook-Timestamp': time,
    ...(secret !== null && {
      'X-Webhook-Signature': sign(body, 'hex'),
      'Webhook-Signature': `v1,${sign(`${id}.${time}.${body}`, 'base64')}`,
    }),
  }
}

/** Without what neither database nor console can show. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '')
