import type { channelRoutes } from '@tollgate/contract'

import type { Context } from '../context'
import { createLock } from '../platform/store/lock'
import { randomHex } from '../platform/random'

export type RunName = 'channel-test' | 'channel-balance'

/** Longer than the slowest call: the lock is renewed before each one. */
const lockSeconds = 90

type Field = 'started_at' | 'total' | 'done' | 'failed'
const fields: readonly Field[] = ['started_at', 'total', 'done', 'failed']
const counter = (name: RunName, field: Field) => `${name}.${field}`

/**
 * Starts going through channels one after the other, at most one run at a time across all nodes. Its progress is kept in the database,
 * where every worker finds it. Resolves with the promise of its end, or with null when one is running already. `step` returns whether the
 * channel was fine, and may make further calls while `goOn` resolves with true; `signal` ends the run before the next one.
 */
export async function startRun(
  ctx: Context,
  name: RunName,
  channelIds: readonly number[],
  step: (channelId: number, goOn: () => Promise<boolean>) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<{ ended: Promise<void> } | null> {
  const holder = randomHex(ctx.random, 12)
  const lock = createLock({ ...ctx, name, holder, seconds: lockSeconds })
  if (!(await lock.acquire())) return null
  await setCounters(ctx, name, {
    started_at: ctx.clock.seconds(),
    total: channelIds.length,
    done: 0,
    failed: 0,
  })
  // Wrapped, as an async function would wait for a bare promise.
  return { ended: goThrough() }

  async function goOn() {
    return signal?.aborted !== true && (await lock.acquire())
  }

  async function goThrough() {
    let failed = 0
    try {
      for (const [index, channelId] of channelIds.entries()) {
        if (!(await goOn())) return
        if (!(await step(channelId, goOn))) failed += 1
        await setCounters(ctx, name, { done: index + 1, failed })
      }
    } finally {
      await lock.release()
    }
  }
}

async function setCounters(ctx: Context, name: RunName, values: Partial<Record<Field, number>>): Promise<void> {
  const rows = fields.flatMap((field) => {
    const value = values[field]
    return value === undefined ? [] : [{ name: counter(name, field), value }]
  })
  await ctx.database.query
    .insertInto('counters')
    .values(rows)
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute()
}

/** Resolves with the progress of the current or last run of this name. */
export async function runProgress(ctx: Context, name: RunName): Promise<channelRoutes.RunProgress> {
  const { query } = ctx.database
  const now = ctx.clock.seconds()
  const lock = await query.selectFrom('locks').select('expires_at').where('name', '=', name).executeTakeFirst()
  const names = fields.map((field) => counter(name, field))
  const rows = await query.selectFrom('counters').selectAll().where('name', 'in', names).execute()
  const valueOf = (field: Field) => rows.find((row) => row.name === counter(name, field))?.value ?? 0
  return {
    is_running: lock !== undefined && lock.expires_at > now,
    started_at: valueOf('started_at'),
    total: valueOf('total'),
    done: valueOf('done'),
    failed: valueOf('failed'),
  }
}
