import { hourSeconds } from '@tollgate/contract'

import type { Context } from '../../context'
import { within } from '../../platform/time/timers'
import { eventOutgoing, isTaken, siteId, targetOf } from './event-targets'
import { sendWebhook, type Outcome } from './send-webhook'
import { webhookSecret } from './webhooks'

type Deps = Pick<Context, 'catalog' | 'database' | 'clock' | 'timers' | 'seal' | 'outbound' | 'log'>

/** A slow receiver keeps one of them busy: no receiver has two, and all receivers of a user leave most of them to others. */
const deliveriesAtOnce = 24
const deliveriesPerUser = 3
/** While receivers are waited for others may become due. */
const pollMs = 500
/** A deliverer that has not reported the outcome by now is dead. */
const claimSeconds = 60
const firstPauseSeconds = 15
const maxPauseSeconds = hourSeconds

/** Delivers what is due, until nothing is. Several deliverers never deliver the same webhook at once: each is claimed first. */
export async function deliverWebhooks(parts: Deps, signal: AbortSignal): Promise<void> {
  const inFlight = new Map<Receiver, Promise<void>>()
  while (!signal.aborted) {
    const busy = [...inFlight.keys()]
    const delivery = busy.length < deliveriesAtOnce ? await nextDue(parts, busy) : undefined
    if (delivery) {
      const receiver = { userId: delivery.user_id, origin: originOf(delivery.url) }
      inFlight.set(
        receiver,
        claimAndDeliver(parts, delivery).finally(() => inFlight.delete(receiver)),
      )
    } else if (inFlight.size > 0) await within(parts.timers, pollMs, Promise.race(inFlight.values()), undefined)
    // A receiver that became free during the look was left out of it.
    else if (busy.length === 0) return
  }
  await Promise.all(inFlight.values())
}

async function claimAndDeliver(parts: Deps, delivery: Delivery): Promise<void> {
  if (await isClaimed(parts, delivery)) await deliver(parts, delivery)
}

/** A host that a user's webhooks go to: tasks name addresses of their own besides that of the user's settings. */
interface Receiver {
  readonly userId: number
  readonly origin: string
}

/** Returns how all addresses at the same host begin. */
const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? url

const nextDue = (parts: Deps, busy: readonly Receiver[]) => {
  const byUser = Map.groupBy(busy, ({ userId }) => userId)
  const busyUsers = [...byUser].flatMap(([id, receivers]) => (receivers.length >= deliveriesPerUser ? [id] : []))
  return parts.database.query
    .selectFrom('webhook_deliveries')
    .leftJoin('users', 'users.id', 'webhook_deliveries.user_id')
    .selectAll('webhook_deliveries')
    .select('users.webhook_secret_sealed')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', parts.clock.seconds())
    .where((eb) => eb.or([eb('users.id', 'is not', null), eb('webhook_deliveries.user_id', '=', siteId)]))
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
async function isClaimed(parts: Deps, { id, due_at: dueAt, attempts }: Delivery): Promise<boolean> {
  const { numUpdatedRows } = await parts.database.query
    .updateTable('webhook_deliveries')
    .set({ due_at: parts.clock.seconds() + claimSeconds, attempts: attempts + 1 })
    .where('id', '=', id)
    .where('due_at', '=', dueAt)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function deliver(parts: Deps, delivery: Delivery): Promise<void> {
  const beganAt = parts.clock.monotonic()
  const outcome = await attempt(parts, delivery)
  const { status, failure } = outcome
  const isDelivered = isAccepted(delivery, outcome)
  // 410: the receiver wants no more of them.
  const isRefused = failure === 'address' || status === 410
  const next = parts.clock.seconds() + Math.min(firstPauseSeconds * 2 ** delivery.attempts, maxPauseSeconds)
  const isOver = isDelivered || isRefused || next >= delivery.expires_at
  await parts.database.query
    .updateTable('webhook_deliveries')
    .set({
      ...outcome,
      attempted_at: parts.clock.seconds(),
      duration_ms: Math.round(parts.clock.monotonic() - beganAt),
      due_at: isOver ? null : next,
      delivered_at: isDelivered ? parts.clock.seconds() : null,
    })
    .where('id', '=', delivery.id)
    .execute()
  if (!isDelivered) parts.log.info({ delivery: delivery.id, status, failure, isOver }, 'a webhook was not delivered')
}

/** Returns what is sent where; null: the site has no such target any more. */
function outgoing(parts: Deps, { id, user_id: userId, url, body, webhook_secret_sealed: sealed }: Delivery) {
  const target = targetOf(url, userId)
  if (target) return eventOutgoing(parts, { id, target, body })
  return { id, url, body, secret: webhookSecret(parts, userId, sealed ?? '') }
}

const noTarget = { status: null, response: '', failure: 'address' } as const

/** A delivery that cannot be written, as its secret cannot be read, fails like one that does not arrive, and holds up no other. */
async function attempt(parts: Deps, delivery: Delivery): Promise<Outcome> {
  try {
    const webhook = outgoing(parts, delivery)
    return webhook ? await sendWebhook(parts, webhook) : noTarget
  } catch (error) {
    parts.log.error({ err: error, delivery: delivery.id }, 'a webhook could not be written')
    return { status: null, response: '', failure: 'unreachable' }
  }
}

function isAccepted({ url, user_id: userId }: Delivery, { status, response }: Outcome): boolean {
  if (status === null) return false
  const target = targetOf(url, userId)
  return target ? isTaken(target, status, response) : status >= 200 && status < 300
}
