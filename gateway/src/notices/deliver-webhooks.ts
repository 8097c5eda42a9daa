import { createHmac } from 'node:crypto'

import type { Context } from '../context'
import { OutboundRefused, OutboundTimeout } from '../outbound/outbound'
import { version } from '../version'
import { webhookSecret } from './webhook-secret'
import { within } from '../timers'

type Parts = Pick<Context, 'database' | 'clock' | 'timers' | 'seal' | 'outbound' | 'log'>

/** A slow receiver keeps one of them busy: no receiver has two, and all receivers of a user leave most of them to others. */
const deliveriesAtOnce = 24
const deliveriesPerUser = 3
/** While receivers are waited for others may become due. */
const lookMs = 500
const timeoutMs = 10_000
const maxAnswerBytes = 2048
/** A deliverer that has not reported the outcome by now is dead. */
const claimSeconds = 60
const firstPauseSeconds = 15
const longestPauseSeconds = 3600

/** Delivers what is due, until nothing is. Several deliverers never deliver the same webhook at once: each is claimed first. */
export async function deliverWebhooks(parts: Parts, signal: AbortSignal): Promise<void> {
  const underWay = new Map<Receiver, Promise<void>>()
  while (!signal.aborted) {
    const busy = [...underWay.keys()]
    const delivery = busy.length < deliveriesAtOnce ? await nextDue(parts, busy) : undefined
    if (delivery) {
      const receiver = { userId: delivery.user_id, origin: originOf(delivery.url) }
      underWay.set(
        receiver,
        claimAndDeliver(parts, delivery).finally(() => underWay.delete(receiver)),
      )
    } else if (underWay.size > 0) await within(parts.timers, lookMs, Promise.race(underWay.values()), undefined)
    // A receiver that became free during the look was left out of it.
    else if (busy.length === 0) return
  }
  await Promise.all(underWay.values())
}

async function claimAndDeliver(parts: Parts, delivery: Delivery): Promise<void> {
  if (await isClaimed(parts, delivery)) await deliver(parts, delivery)
}

const now = ({ clock }: Pick<Context, 'clock'>) => Math.floor(clock.now() / 1000)

/** A host that a user's webhooks go to: tasks name addresses of their own besides that of the user's settings. */
interface Receiver {
  readonly userId: number
  readonly origin: string
}

/** Returns how all addresses at the same host begin. */
const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? url

const nextDue = (parts: Parts, busy: readonly Receiver[]) => {
  const byUser = Map.groupBy(busy, ({ userId }) => userId)
  const busyUsers = [...byUser].flatMap(([id, receivers]) => (receivers.length >= deliveriesPerUser ? [id] : []))
  return parts.database.query
    .selectFrom('webhook_deliveries')
    .innerJoin('users', 'users.id', 'webhook_deliveries.user_id')
    .selectAll('webhook_deliveries')
    .select('users.webhook_secret_sealed')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now(parts))
    .$if(busyUsers.length > 0, (query) => query.where('webhook_deliveries.user_id', 'not in', busyUsers))
    .where((eb) =>
      eb.and(
        busy.map(({ userId, origin }) =>
          eb.or([
            eb('webhook_deliveries.user_id', '!=', userId),
            eb(eb.fn<string>('substr', ['url', eb.val(1), eb.val(origin.length)]), '!=', origin),
          ]),
        ),
      ),
    )
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
}

type Delivery = NonNullable<Awaited<ReturnType<typeof nextDue>>>

/** Compare-and-set, which counts the attempt before it is made. */
async function isClaimed(parts: Parts, { id, due_at: dueAt, attempts }: Delivery): Promise<boolean> {
  const { numUpdatedRows } = await parts.database.query
    .updateTable('webhook_deliveries')
    .set({ due_at: now(parts) + claimSeconds, attempts: attempts + 1 })
    .where('id', '=', id)
    .where('due_at', '=', dueAt)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The result of an attempt. */
interface Outcome {
  readonly status: number | null
  readonly response: string
  readonly failure: '' | 'address' | 'timeout' | 'unreachable'
}

async function deliver(parts: Parts, delivery: Delivery): Promise<void> {
  const beganAt = parts.clock.monotonic()
  const outcome = await attempt(parts, delivery)
  const { status, failure } = outcome
  const isDelivered = status !== null && status >= 200 && status < 300
  // 410: the receiver wants no more of them.
  const isRefused = failure === 'address' || status === 410
  const next = now(parts) + Math.min(firstPauseSeconds * 2 ** delivery.attempts, longestPauseSeconds)
  const isOver = isDelivered || isRefused || next >= delivery.expires_at
  await parts.database.query
    .updateTable('webhook_deliveries')
    .set({
      ...outcome,
      attempted_at: now(parts),
      duration_ms: Math.round(parts.clock.monotonic() - beganAt),
      due_at: isOver ? null : next,
      delivered_at: isDelivered ? now(parts) : null,
    })
    .where('id', '=', delivery.id)
    .execute()
  if (!isDelivered) parts.log.info({ delivery: delivery.id, status, failure, isOver }, 'a webhook was not delivered')
}

async function attempt(parts: Parts, delivery: Delivery): Promise<Outcome> {
  try {
    const { url, body } = delivery
    const headers = headersOf(parts, delivery)
    const answer = await parts.outbound.send({
      method: 'POST',
      url,
      headers,
      body,
      timeoutMs,
      mostBytes: maxAnswerBytes,
    })
    return { status: answer.status, response: textOf(answer.body), failure: '' }
  } catch (error) {
    parts.log.debug({ error, delivery: delivery.id }, 'a webhook could not be sent')
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
function headersOf(parts: Parts, { id, user_id: userId, body, webhook_secret_sealed: sealed }: Delivery) {
  const secret = webhookSecret(parts, userId, sealed)
  const time = String(now(parts))
  const signed = (text: string, form: 'hex' | 'base64') =>
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
      'X-Webhook-Signature': signed(body, 'hex'),
      'Webhook-Signature': `v1,${signed(`${id}.${time}.${body}`, 'base64')}`,
    }),
  }
}

/** Without what neither database nor console can show. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '')
