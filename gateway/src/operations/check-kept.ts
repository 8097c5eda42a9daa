import { endedTaskStatuses, minuteSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Clock } from '../platform/time/clock'
import type { Examined } from './check-database'
import { fail, ok, sentence, warn, type Finding } from './finding'

const batchesSubject = 'batches'
/** A worker that runs a batch claims it anew many times in it. */
const graceMs = 10 * minuteSeconds * 1000

/** Checks that each batch is run, and that none goes on after the time that it has. */
export async function checkBatches({ database, tables }: Examined, clock: Pick<Clock, 'now'>): Promise<Finding> {
  if (!database || tables !== 'there') return ok(batchesSubject, sentence('batches.none'))
  const late = clock.now() - graceMs
  const open = database.query
    .selectFrom('batches')
    .innerJoin('tasks', 'tasks.public_id', 'batches.task_id')
    .where('tasks.status', 'not in', endedTaskStatuses)
  const [all, overdue, idle] = await Promise.all([
    open.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    open.select('task_id').where('tasks.deadline_at', '<', late).orderBy('tasks.deadline_at').execute(),
    open.select('task_id').where('claimed_until', '<', late).orderBy('claimed_until').execute(),
  ])
  const [first] = overdue
  if (first)
    return warn(batchesSubject, sentence('batches.overdue', { count: overdue.length, id: first.task_id }), advice)
  const [waiting] = idle
  if (waiting)
    return warn(batchesSubject, sentence('batches.idle', { count: idle.length, id: waiting.task_id }), advice)
  return ok(batchesSubject, sentence(all.count === 0 ? 'batches.none' : 'batches.good', { count: all.count }))
}

const advice = sentence('batches.advice')

/** The bytes of a text that is sealed in this column: see `platform/store/seal`. */
const sealedBytes = (column: string) => sql`(octet_length(${sql.ref(column)}) - 12) * 3 / 4 - 28`
/** What each row of a conversation counts beside its text. */
const rowBytes = sql.lit(300)

/** What stored turns count for their users is as long as their texts. */
export const bytesOfTurns = sql`select user_id as id, bytes as found, 0 as expected from response_turns
  union all select user_id, 0, ${sealedBytes('sealed')} from response_turns`

/** What conversations count is as long as their texts and those of their items. */
export const bytesOfConversations = sql`select user_id as id, bytes as found, 0 as expected from conversations
  union all select user_id, 0, ${rowBytes} + ${sealedBytes('sealed')} from conversations
  union all select user_id, 0, ${rowBytes} + ${sealedBytes('conversation_items.sealed')}
    from conversation_items join conversations on id_hash = conversation_hash`

/** Each item belongs to a conversation. */
export const lostItems = sql`select id, 1 as found, 0 as expected from conversation_items
  where not exists (select 1 from conversations where id_hash = conversation_hash)`

/** Each item of a response by which requests find it belongs to a turn. */
export const lostTurnItems = sql`select user_id as id, 1 as found, 0 as expected from response_turn_items
  where not exists (select 1 from response_turns where id_hash = turn_hash
    and response_turns.user_id = response_turn_items.user_id)`

const conversationsSubject = 'conversations'

/** Checks that what is kept of conversations is counted, and belongs to one. */
export async function checkConversations({ database, tables }: Examined): Promise<Finding> {
  if (!database || tables !== 'there') return ok(conversationsSubject, sentence('conversations.good'))
  for (const parts of [bytesOfTurns, bytesOfConversations, lostItems, lostTurnItems]) {
    const { rows } = await sql`select id from (${parts}) as parts
      group by id having sum(found) <> sum(expected) limit 1`.execute(database.query)
    if (rows.length > 0) return fail(conversationsSubject, sentence('conversations.differ'), sentence('books.advice'))
  }
  return ok(conversationsSubject, sentence('conversations.good'))
}
