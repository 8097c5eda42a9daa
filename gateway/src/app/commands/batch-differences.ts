import { endedTaskStatuses } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import { contentOverhead } from '../../tasks/files/content-cipher'
import { lineState } from '../../tasks/batches/batch-lines'

/** Each batch that has not ended is run, and no other is. */
export const runsOfBatches = sql`select id, 1 as found, 0 as expected from tasks
    where platform = 'batch' and status not in (${sql.join(endedTaskStatuses.map((status) => sql.lit(status)))})
  union all select tasks.id, 0, 1 from batches join tasks on public_id = task_id where claimed_until is not null`

const succeeded = sql.lit(lineState.succeeded)

/** A batch that has not ended has all its lines; of others some may be deleted. */
export const linesOfBatches = sql`select tasks.id, total as found, 0 as expected from batches
    join tasks on public_id = task_id where claimed_until is not null
  union all select tasks.id, 0, 1 from batch_lines join batches on task_id = batch_id join tasks on public_id = task_id
    where claimed_until is not null`

/** How many of them succeeded is counted. */
export const doneOfBatches = sql`select tasks.id, completed as found, 0 as expected from batches
    join tasks on public_id = task_id where claimed_until is not null
  union all select tasks.id, 0, 1 from batch_lines join batches on task_id = batch_id join tasks on public_id = task_id
    where claimed_until is not null and state = ${succeeded}`

/** Each line that succeeded was charged, under the name of its batch and its number. `since`: in seconds, charges before were removed. */
export const chargesOfBatches = (
  since: number,
): RawBuilder<unknown> => sql`select tasks.id, completed as found, 0 as expected
    from batches join tasks on public_id = task_id where batches.created_at >= ${since}
  union all select tasks.id, 0, 1 from charges
    join batches on task_id = substr(request_id, 1, case when request_id like 'msg%' then 33 else 30 end)
    join tasks on public_id = task_id
    where (request_id like 'batch\_%' escape '\\' or request_id like 'msgbatch\_%' escape '\\') and batches.created_at >= ${since}`

const conditionOfStored = (now: number) => sql`place = '' and is_stored = 1 and expires_at > ${now}`

/** The bytes of a file that is kept in the database are in its pieces. `now`: in seconds. */
export const piecesOfFiles = (now: number): RawBuilder<unknown> => sql`select id,
    bytes + chunks * ${sql.lit(contentOverhead)} as found, 0 as expected from files where ${conditionOfStored(now)}
  union all select file_id, 0, length(content) from file_chunks join files on files.id = file_id where ${conditionOfStored(now)}`
