import { createHash } from 'node:crypto'

import { idempotencyKeyHeader, repeatedHeader, type Route, type RouteInput } from '@tollgate/contract'
import * as z from 'zod'

import { AppError } from '../app-error'
import type { Context } from '../context'
import type { SealedPlace } from '../store/seal'
import type { Call } from './handler'
import { isWriteRoute } from './route-table'

/** How long a key stands for its act. */
export const keyedActSeconds = 24 * 3600
/** A call that takes longer has lost its worker. */
const longestCallSeconds = 120
const retrySeconds = 5

const Key = z.string().regex(/^[\x21-\x7e]{8,255}$/)
const Answer = z.object({ result: z.unknown() })

type KeyedCall = Pick<Call, 'request' | 'requestId' | 'audit' | 'answerHeaders'> & {
  readonly ctx: Pick<Context, 'clock' | 'database' | 'seal'>
  readonly userId: number
}

/** Whether a call to this route may name a key: it changes something, and its result can be kept. */
export const isKeyed = (route: Route): boolean =>
  isWriteRoute(route) && route.media === undefined && route.isCallback !== true && route.isRepeatable !== true

/**
 * Acts once for each key that a user names for a route: a later call with the key gets the first one's result. A refused call has done
 * nothing, so its key is free again. An act of which no result is known is not repeated.
 * @throws AppError `act.under_way`, `act.other`, `act.uncertain`, `input.invalid`, and those of `handle`.
 */
export async function oncePerKey(
  route: Route,
  input: RouteInput<Route>,
  call: KeyedCall,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  const named = isKeyed(route) ? call.request.headers.get(idempotencyKeyHeader) : null
  if (named === null) return handle()
  if (!Key.safeParse(named).success)
    throw new AppError('input.invalid', {
      params: {
        detail: { code: 'reason.at', params: { place: idempotencyKeyHeader, reason: { code: 'reason.format' } } },
      },
    })
  const act = {
    id: hashOf(`${call.userId} ${route.method} ${route.path} ${named}`),
    input: hashOf(JSON.stringify(input)),
  }
  if (!(await begin(act, call))) return earlierResult(act, call)
  try {
    const result = await handle()
    await keep(act.id, result, call)
    return result
  } catch (error) {
    if (error instanceof AppError) await forget(act.id, call)
    throw error
  }
}

interface Act {
  readonly id: string
  readonly input: string
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const placeOf = (id: string): SealedPlace => `keyed_acts.answer_sealed#${id}`

/** Returns whether this call is the first with its key. */
async function begin({ id, input }: Act, { ctx: { clock, database }, requestId }: KeyedCall): Promise<boolean> {
  const now = Math.floor(clock.now() / 1000)
  await database.query
    .deleteFrom('keyed_acts')
    .where('id_hash', '=', id)
    .where('created_at', '<=', now - keyedActSeconds)
    .execute()
  const { numInsertedOrUpdatedRows } = await database.query
    .insertInto('keyed_acts')
    .values({ id_hash: id, input_hash: input, request_id: requestId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The result may hold secrets that are shown once. */
async function keep(id: string, result: unknown, { ctx: { database, seal } }: KeyedCall): Promise<void> {
  const answer_sealed = seal.seal(JSON.stringify({ result }), placeOf(id))
  await database.query.updateTable('keyed_acts').set({ answer_sealed }).where('id_hash', '=', id).execute()
}

const forget = async (id: string, { ctx: { database } }: KeyedCall): Promise<void> =>
  void (await database.query.deleteFrom('keyed_acts').where('id_hash', '=', id).execute())

async function earlierResult({ id, input }: Act, { ctx, audit, answerHeaders }: KeyedCall): Promise<unknown> {
  const { clock, database, seal } = ctx
  const row = await database.query.selectFrom('keyed_acts').selectAll().where('id_hash', '=', id).executeTakeFirst()
  const underWay = new AppError('act.under_way', { retryAfterSeconds: retrySeconds })
  // The earlier call was refused in this moment.
  if (!row) throw underWay
  if (row.input_hash !== input) throw new AppError('act.other')
  const isYoung = clock.now() / 1000 - row.created_at < longestCallSeconds
  if (row.answer_sealed === '') throw isYoung ? underWay : new AppError('act.uncertain')
  audit.changed({}, { repeats: row.request_id })
  answerHeaders.set(repeatedHeader, 'true')
  return Answer.parse(JSON.parse(seal.open(row.answer_sealed, placeOf(id)))).result
}
