import { daySeconds } from '@tollgate/contract'

import type { Context } from '../../context'
import { newResponseId } from '../../http/request/request-id'
import type { Transaction } from '../../platform/store/database'
import { textOf, type EndDeps, type FailReason } from '../end-task'
import { queueTaskWebhook } from '../queue-task-webhook'
import { moveTask } from '../task-store'
import { readTerms } from '../task-terms'
import { newContentKey } from '../files/content-cipher'
import { keyContextOf } from '../files/file-store'
import { batchRow, type Batch } from './batch-store'
import { lineState, statesOfResults, waitingLines, type LineBook, type LineState } from './batch-lines'
import { readBatchTerms } from './batch-terms'

type Deps = EndDeps & Pick<Context, 'seal'>

/** How a batch ended. */
export interface BatchEnd {
  readonly status: 'SUCCESS' | 'FAILURE' | 'CANCEL'
  readonly reason?: FailReason
}

const leftAtOnce = 100

/** Writes what stands in the results for lines that were not made. `resultOf`: writes one from the request of a line. */
export async function closeLines(
  deps: Deps,
  { task }: Batch,
  book: LineBook,
  state: LineState,
  resultOf: (request: string, line: number) => string,
): Promise<void> {
  for (;;) {
    const rows = await waitingLines(deps.database.query, task.public_id, leftAtOnce)
    if (rows.length === 0) return
    await deps.database.query.transaction().execute(async (transaction) => {
      for (const { line, content } of rows) {
        const text = resultOf(book.open(line, lineState.waiting, content), line)
        await transaction
          .updateTable('batch_lines')
          .set({ state, content: book.seal(line, state, text), bytes: Buffer.byteLength(text) + 1 })
          .where('batch_id', '=', task.public_id)
          .where('line', '=', line)
          .where('state', '=', lineState.waiting)
          .execute()
      }
    })
  }
}

/** Ends a batch of which no line waits: the rest of its hold goes back, and its results become files. Once. */
export async function endBatch(
  deps: Deps,
  { task, row: { dialect } }: Batch,
  { status, reason }: BatchEnd,
): Promise<boolean> {
  const finishedAt = deps.clock.now()
  const text = reason === undefined ? '' : textOf(reason)
  const end = { status, fail_reason: text, progress: 100, finished_at: finishedAt, poll_at: null } as const
  const isEnded = await deps.database.query.transaction().execute(async (transaction) => {
    if (!(await moveTask(transaction, task.id, end))) return false
    await deps.ledger.releaseHold(task.public_id, transaction)
    const row = await batchRow(transaction, task.public_id)
    if (!row) return true
    const shown = { prompt_en: `${row.completed} ✓ ${row.failed} ✗ / ${row.total}` }
    await transaction.updateTable('tasks').set(shown).where('id', '=', task.id).execute()
    const batch = { task, row }
    const { outputSeconds } = readBatchTerms(row.terms)
    const expiresAt = deps.clock.seconds() + (outputSeconds ?? deps.catalog.current.options.FileDays * daySeconds)
    const files =
      dialect === 'openai'
        ? {
            output_file_id: await addResults(deps, batch, expiresAt, 'batch_output', transaction),
            error_file_id: await addResults(deps, batch, expiresAt, 'batch_error', transaction),
          }
        : {}
    await transaction
      .updateTable('batches')
      .set({ claimed_by: '', claimed_until: null, expires_at: expiresAt, ...files })
      .where('task_id', '=', task.public_id)
      .execute()
    await queueTaskWebhook(deps, { ...task, ...end }, readTerms(task.terms), transaction)
    return true
  })
  if (isEnded && readTerms(task.terms).webhook !== '') await deps.changes.deliver()
  return isEnded
}

/** Resolves with the id of a file of results; empty where it would have none. */
async function addResults(
  { random, seal, clock }: Deps,
  { task }: Batch,
  expiresAt: number,
  purpose: 'batch_output' | 'batch_error',
  transaction: Transaction,
): Promise<string> {
  const { bytes } = await transaction
    .selectFrom('batch_lines')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('batch_id', '=', task.public_id)
    .where('state', 'in', statesOfResults(purpose))
    .executeTakeFirstOrThrow()
  if (bytes === null) return ''
  const publicId = newResponseId({ random }, 'file-tg')
  await transaction
    .insertInto('files')
    .values({
      public_id: publicId,
      user_id: task.user_id,
      token_id: task.token_id,
      purpose: 'batch_output',
      filename: `${task.public_id}_${purpose === 'batch_output' ? 'output' : 'error'}.jsonl`,
      content_type: 'application/jsonl',
      bytes,
      place: purpose,
      key_sealed: seal.seal(newContentKey(random), keyContextOf(publicId)),
      batch_id: task.public_id,
      is_stored: 1,
      created_at: clock.seconds(),
      expires_at: expiresAt,
    })
    .execute()
  return publicId
}
