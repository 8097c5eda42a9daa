import { droppedHeader } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Turns } from '../../channels/turns/turns'
import type { Charge, Ledger, Reservation } from '../../billing/ledger/ledger'
import { levelOf } from '../../platform/store/database-watch'
import type { TaskRow } from '../../platform/store/tables'
import { failTask, settleTask, type LastChange } from '../../tasks/end-task'
import { storeTaskResponse } from '../../tasks/task-answers'
import { moveTask, toStoredJson } from '../../tasks/task-store'
import { readTerms } from '../../tasks/task-terms'
import type { CallContext } from '../call-context'
import { adminInfo } from '../call-log'
import { serve } from '../pipeline'
import { failReason } from '../errors/failure'
import { claimMs } from './background-calls'
import { parseJsonInTurns } from '../../channels/calls/parse-response-object'
import { bytesOf } from '../../channels/calls/parsed-body'
import type { DeferredKind } from './deferred-kind'
import { nextTurn, waitUnless, type Timers } from '../../platform/time/timers'

/**
 * Runs an admitted call to its end, through the same stages as one whose client waits, and ends its task. Returns at once: whatever happens
 * is what becomes of the task. The worker is not idle meanwhile.
 */
export function runInBackground(context: CallContext, row: TaskRow, kind: DeferredKind): void {
  const { ctx, inFlight } = context.deps
  const leave = inFlight.enter()
  run(context, row, kind)
    .catch((error: unknown) =>
      ctx.log[levelOf(error, 'error')](
        { error, task: row.public_id },
        'a call in the background could not be ended; its task is given up when the claim on it expires',
      ),
    )
    .finally(() => {
      context.body.room?.[Symbol.dispose]()
      leave()
    })
}

async function run(context: CallContext, row: TaskRow, kind: DeferredKind): Promise<void> {
  const { departure, deps } = context
  const { ctx, inFlight } = deps
  using claim = inFlight.background.add(row.id, { departure, bytes: bytesOf(context.body) }, ctx)
  const { signal } = claim
  // A caller that was sent away may come back for what it paid.
  const isCancelled = () => departure.isGone && !departure.isSentAway
  let end: () => Promise<unknown>
  try {
    const turns = new HeldTurns(ctx.turns)
    const served = await servedIn(context, row, turns, signal)
    const isLost = isCancelled() ? cancelled : served.storable === null ? tooLarge : undefined
    end = async () => {
      const isSettled = await settle(context, row, { ...served, kind }, isLost)
      if (isSettled && !isLost) await turns.release()
    }
  } catch (error) {
    if (!signal.aborted) ctx.log.debug({ error, task: row.public_id }, 'a call in the background failed')
    const reason = isCancelled() ? cancelled.reason : failReason(error, context.records.at(-1)?.status)
    const status = isCancelled() ? cancelled.status : 'FAILURE'
    end = () => failTask(ctx, row, reason, { ...routeOf(context, row), status })
  }
  if (!signal.aborted) await untilDone(end, signal, ctx.timers)
}

/** Returns what the task keeps of the channels that were tried: the last one failed it. */
function routeOf({ records }: CallContext, row: TaskRow): LastChange {
  const last = records.at(-1)
  if (!last) return {}
  const { id, name } = last.channel
  const attempts = adminInfo(records).attempts.map((one) => ({ ...one, reason: one.reason ?? '' }))
  return { channel_id: id, channel_name: name, terms: JSON.stringify({ ...readTerms(row.terms), attempts }) }
}

/** What a call was answered with, and what it costs. */
interface Served {
  /** Null: it is too large to be kept. */
  readonly storable: Storable | null
  readonly charge: Charge
  /** The value of the header that says what the upstream could not be told; null: nothing. */
  readonly dropped: string | null
}

interface Storable {
  /** JSON. */
  readonly text: string
  readonly body: JsonObject
}

type Lost = NonNullable<Parameters<typeof settleTask>[2]['lost']>

const cancelled: Lost = { status: 'CANCEL', reason: { code: 'task.cancelled' } }

const maxResponseBytes = 32 * 1024 * 1024
const bytesAMegabyte = 1024 * 1024

/** The upstream made it, so it is charged; but it is not kept. */
const tooLarge: Lost = {
  status: 'FAILURE',
  reason: { code: 'background.result_too_large', params: { limit: maxResponseBytes / bytesAMegabyte } },
}

/** @throws AppError, UpstreamError: nothing is charged. */
async function servedIn(context: CallContext, row: TaskRow, turns: HeldTurns, signal: AbortSignal): Promise<Served> {
  const { call, deps } = context
  const { clock, database } = deps.ctx
  const startedAt = clock.now()
  const start = { status: 'IN_PROGRESS', started_at: startedAt, poll_at: startedAt + claimMs } as const
  await moveTask(database.query, row.id, start)
  const held = heldLedger(deps.ctx.ledger, context.reservation, signal)
  const { url, headers } = call.request
  const response = await serve({
    ...context,
    deps: { ...deps, ctx: { ...deps.ctx, ledger: held.ledger, turns: turns.held } },
    // The client's own request ended long ago.
    call: { ...call, request: new Request(url, { method: call.method, headers }) },
  })
  const storable = await readStorable(response)
  if (held.charge === null) throw new AppError('upstream.malformed')
  return { storable, charge: held.charge, dropped: response.headers.get(droppedHeader) }
}

/** Resolves with what is kept of a response; null where it is too large. */
async function readStorable(response: Response): Promise<Storable | null> {
  const bytes = await response.bytes()
  if (bytes.byteLength > maxResponseBytes) return null
  const text = decoder.decode(bytes)
  // Each step of a long one takes milliseconds.
  await nextTurn()
  const body = await parseJsonInTurns(bytes).catch(() => null)
  if (!isObject(body)) throw new AppError('upstream.malformed')
  return { text, body }
}

const decoder = new TextDecoder()

/** In one transaction: the answer is kept unless it is lost, the call is charged, and the rest of its hold goes back. */
function settle(
  { deps: { ctx } }: CallContext,
  row: TaskRow,
  { storable, charge, dropped, kind }: Served & { readonly kind: DeferredKind },
  lost: Lost | undefined,
): Promise<boolean> {
  const { channelId, channelName } = charge.entry
  const stored = lost ? null : storable
  return settleTask(ctx, row, {
    charge,
    finishedAt: ctx.clock.now(),
    change: {
      channel_id: channelId,
      channel_name: channelName,
      ...(dropped !== null && { terms: JSON.stringify({ ...readTerms(row.terms), dropped }) }),
      ...(stored && { results: toStoredJson(kind.resultsOf(stored.body)) }),
    },
    ...(stored
      ? { record: (transaction) => storeTaskResponse(ctx, row.public_id, stored.text, transaction) }
      : { lost }),
  })
}

const pauseMs = 1000
const maxTries = 100

/** Tries again while the database is away, until the task has ended in another way. @throws the last error. */
async function untilDone(work: () => Promise<unknown>, signal: AbortSignal, timers: Timers): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted || tries >= maxTries) throw error
    }
    await waitUnless(timers, pauseMs, signal)
    if (signal.aborted) return
  }
}

/** A ledger for one call whose quota is held in the database. */
interface HeldLedger {
  readonly ledger: Ledger
  /** What the call is to be charged; null: it was not charged. */
  readonly charge: Charge | null
}

/**
 * Returns a ledger that notes what a call costs and moves nothing: the hold ends with the task, in one transaction with its answer. Once the
 * task has ended elsewhere nothing is charged any more.
 */
function heldLedger(ledger: Ledger, held: Reservation, signal: AbortSignal): HeldLedger {
  let noted: Charge | null = null
  return {
    ledger: {
      ...ledger,
      reserveNow: () => null,
      // The next model of a chain is paid from what was held for all of them, or is not tried.
      async reserve(_, { subscriptionId }, requested) {
        const minAmount = typeof requested === 'number' ? requested : requested.min
        if (held.amount < minAmount || subscriptionId !== held.payer.subscriptionId)
          throw new AppError('quota.user', { params: { need: minAmount } })
        return held
      },
      extend: () => 0,
      admit: ({ requestId }, windows, range) => ledger.admitHeld(requestId, windows, range),
      release() {},
      async charge(_, charge) {
        signal.throwIfAborted()
        noted = charge
      },
    },
    get charge() {
      return noted
    },
  }
}

/** Holds back the turn of a call in the background until its task has ended well: no one goes on from what was not charged. */
class HeldTurns {
  readonly #turns: Turns
  readonly #added: (() => unknown)[] = []
  readonly held: Turns

  constructor(turns: Turns) {
    this.#turns = turns
    this.held = {
      find: (owner, id) => turns.find(owner, id),
      threadTo: (owner, id, maxBytes, onBytes) => turns.threadTo(owner, id, maxBytes, onBytes),
      findItems: (owner, ids, maxBytes) => turns.findItems(owner, ids, maxBytes),
      remove: (owner, id) => turns.remove(owner, id),
      createConversation: (conversation) => turns.createConversation(conversation),
      close: () => turns.close(),
      queued: turns.queued,
      add: (turn) => void this.#added.push(() => this.#turns.add(turn)),
      append: async (conversation, entry) => {
        this.#added.push(() => this.#turns.append(conversation, entry))
        return true
      },
    }
  }

  async release(): Promise<void> {
    for (const add of this.#added.splice(0)) await add()
  }
}
