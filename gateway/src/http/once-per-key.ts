import { createHash } from 'node:crypto'

import { idempotencyKeyHeader, repeatedHeader, daySeconds, type Route, type RouteInput } from '@tollgate/contract'
import * as z from 'zod'

import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import type { Database, Queries } from '../platform/store/database'
import { markedDatabase, type Mark } from '../platform/store/marked-database'
import type { SealContext } from '../platform/store/seal'
import type { Call, Caller } from './handler'
import { isWriteRoute } from './route-table'

/** How long a key stands for its act. */
export const keyedActSeconds = daySeconds
/** A call that takes longer has lost its worker. */
const maxCallSeconds = 120
const retrySeconds = 5

const Key = z.string().regex(/^[\x21-\x7e]{8,255}$/)
const KeyedResult = z.object({ result: z.unknown() })

type KeyedCall = Pick<Call, 'request' | 'requestId' | 'audit' | 'responseHeaders'> & {
  readonly ctx: Pick<Context, 'clock' | 'database' | 'seal'>
  readonly caller: Pick<Caller, 'userId' | 'isByAccessToken' | 'scopes' | 'grants'>
}

/** Whether a call to this route may name a key: it changes something, and its result can be kept. */
export const isKeyed = (route: Route): boolean =>
  isWriteRoute(route) && route.media === undefined && route.isCallback !== true && route.isRepeatable !== true

/**
 * Acts once for each key that a user names for a route: a later call with the key gets the first one's result. What the act changes in
 * `database`, which `handle` gets, is committed together with a mark on the key. Only of a route that is compound it may be uncertain.
 * @throws AppError as `actOnce`, `input.invalid`.
 */
export async function oncePerKey(
  route: Route,
  input: RouteInput<Route>,
  call: KeyedCall,
  handle: (database: Database) => Promise<unknown>,
): Promise<unknown> {
  const named = isKeyed(route) ? namedKey(call.request.headers) : null
  if (named === null) return handle(call.ctx.database)
  const act = {
    id: hashOf(`${holderOf(call.caller)} ${route.method} ${route.path} ${named}`),
    input: hashOf(JSON.stringify(input)),
    isCompound: route.isCompound === true,
    hasResult: Boolean(route.data ?? route.envelopeFields),
  }
  const { result, repeats } = await actOnce(act, call, () =>
    handle(markedDatabase(call.ctx.database, markOf(act, call))),
  )
  if (repeats === null) return result
  call.audit.recordChange({}, { repeats })
  call.responseHeaders.set(repeatedHeader, 'true')
  return result
}

/** Returns the key that a client names for its act; null where it names none. @throws AppError `input.invalid`. */
export function namedKey(headers: Headers): string | null {
  const named = headers.get(idempotencyKeyHeader)
  if (named === null || Key.safeParse(named).success) return named
  throw new AppError('input.invalid', {
    params: {
      detail: { code: 'reason.at', params: { place: idempotencyKeyHeader, reason: { code: 'reason.format' } } },
    },
  })
}

/** Something that is done once for each key. */
export interface KeyedAct {
  /** A hash of who acts, of the kind of act and of the key. */
  readonly id: string
  /** A hash of what is asked for. */
  readonly input: string
  /** It changes the database in several steps. */
  readonly isCompound: boolean
  /** It results in more than that it was done. */
  readonly hasResult: boolean
}

type ActingCall = Pick<KeyedCall, 'ctx' | 'requestId'>

/**
 * Resolves with the result of an act that is done at most once, and with the request whose act it repeats; null where it is the first. A
 * refused one has done nothing, so its key is free again. `handle` commits a mark together with what it changes: of a first call that never
 * ended it is known whether it was carried out, and one that was not is made again.
 * @throws AppError `act.under_way`, `act.other`, `act.done`, `act.uncertain`, and those of `handle`.
 */
export async function actOnce(
  act: KeyedAct,
  call: ActingCall,
  handle: () => Promise<unknown>,
): Promise<{ readonly result: unknown; readonly repeats: string | null }> {
  if (!(await begin(act, call))) return earlierResult(act, call)
  try {
    const result = await handle()
    await keep(act.id, result, call)
    return { result, repeats: null }
  } catch (error) {
    if (error instanceof AppError) await ownRow(act.id, call).execute()
    // A row that cannot be removed is that of a call without an end.
    else if (!act.isCompound)
      await ownRow(act.id, call)
        .where('progress', '=', 'open')
        .execute()
        .catch(() => {})
    throw error
  }
}

/** A narrowed access token may not read all that a session of its owner reads, so results of the one are not for the other. */
const holderOf = ({ userId, isByAccessToken, scopes, grants }: KeyedCall['caller']): string =>
  isByAccessToken
    ? `${userId} ${[...(scopes ?? ['all'])].toSorted().join()} ${[...grants].toSorted().join()}`
    : String(userId)

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const sealContextOf = (id: string): SealContext => `keyed_acts.answer_sealed#${id}`

/** Returns whether this call is the first with its key, or takes the place of one that ended without having changed anything. */
async function begin(act: KeyedAct, { ctx: { clock, database }, requestId }: ActingCall): Promise<boolean> {
  const { id, input, isCompound } = act
  const now = clock.seconds()
  await database.query
    .deleteFrom('keyed_acts')
    .where('id_hash', '=', id)
    .where('created_at', '<=', now - keyedActSeconds)
    .execute()
  const inserted = await database.query
    .insertInto('keyed_acts')
    .values({ id_hash: id, input_hash: input, request_id: requestId, progress: 'open', created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) return true
  if (isCompound) return false
  const taken = await database.query
    .updateTable('keyed_acts')
    .set({ request_id: requestId, created_at: now })
    .where('id_hash', '=', id)
    .where('input_hash', '=', input)
    .where('progress', '=', 'open')
    .where('created_at', '<=', now - maxCallSeconds)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** A call whose place was taken changes nothing any more. */
const markOf =
  (act: KeyedAct, call: ActingCall): Mark =>
  async (run) => {
    requireMarked(await run(marking(call.ctx.database.query, act, call).compile()))
  }

/** Marks an act as done within the transaction that does it. @throws AppError `act.under_way` where another call has taken its place. */
export async function markAct(queries: Queries, act: KeyedAct, call: ActingCall): Promise<void> {
  const { numUpdatedRows } = await marking(queries, act, call).executeTakeFirstOrThrow()
  requireMarked(numUpdatedRows)
}

const marking = (queries: Queries, { id }: KeyedAct, { requestId }: ActingCall) =>
  queries
    .updateTable('keyed_acts')
    .set({ progress: 'done' })
    .where('id_hash', '=', id)
    .where('request_id', '=', requestId)

function requireMarked(marked: bigint): void {
  if (marked !== 1n) throw new AppError('act.under_way', { retryAfterSeconds: retrySeconds })
}

/** The result may hold secrets that are shown once. */
async function keep(id: string, result: unknown, { ctx: { database, seal }, requestId }: ActingCall): Promise<void> {
  const answer_sealed = seal.seal(JSON.stringify({ result }), sealContextOf(id))
  await database.query
    .updateTable('keyed_acts')
    .set({ answer_sealed, progress: 'done' })
    .where('id_hash', '=', id)
    .where('request_id', '=', requestId)
    .execute()
}

const ownRow = (id: string, { ctx: { database }, requestId }: ActingCall) =>
  database.query.deleteFrom('keyed_acts').where('id_hash', '=', id).where('request_id', '=', requestId)

async function earlierResult({ id, input, isCompound, hasResult }: KeyedAct, { ctx }: ActingCall) {
  const { clock, database, seal } = ctx
  const row = await database.query.selectFrom('keyed_acts').selectAll().where('id_hash', '=', id).executeTakeFirst()
  const inProgressError = new AppError('act.under_way', { retryAfterSeconds: retrySeconds })
  // The earlier call was refused in this moment.
  if (!row) throw inProgressError
  if (row.input_hash !== input) throw new AppError('act.other')
  const isLost = row.answer_sealed === ''
  if (isLost && clock.seconds() - row.created_at < maxCallSeconds) throw inProgressError
  // Rows of an earlier release have no progress.
  if (isLost && (isCompound || row.progress !== 'done')) throw new AppError('act.uncertain')
  if (isLost && hasResult) throw new AppError('act.done')
  const result = isLost
    ? undefined
    : KeyedResult.parse(JSON.parse(seal.open(row.answer_sealed, sealContextOf(id)))).result
  return { result, repeats: row.request_id }
}
