import { batchPlatform } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { isOutOfQuota, type Hold, type Payer } from '../../billing/ledger/ledger'
import type { Queries } from '../../platform/store/database'
import type { BatchRow } from '../../platform/store/tables'
import { newContentKey } from '../files/content-cipher'
import { insertTask, moveTask, taskByPublicId, type NewTask } from '../task-store'
import { batchKeyContext, LineBook, type NewLine } from './batch-lines'
import { batchRow, countOpenBatches, type Batch } from './batch-store'
import { noTerms, type BatchTerms } from './batch-terms'

type Deps = Pick<Context, 'changes' | 'clock' | 'database' | 'ledger' | 'random' | 'seal'>

const daySeconds = 86_400
/** After this time a batch whose lines were not made has expired. */
const batchSeconds = daySeconds
/** A batch whose creation was cut short is removed after this. */
const unfinishedSeconds = 6 * 3600
/** If nothing ends it. */
const maxLifeSeconds = batchSeconds + 7 * daySeconds

/** A batch that is about to be read. */
export interface NewBatch {
  readonly id: string
  /** `openai` or `anthropic`. */
  readonly dialect: string
  readonly endpoint: string
  readonly inputFileId: string
}

/** What all lines of a batch may cost together. */
interface BatchRange {
  readonly max: number
  readonly min: number
  readonly tokens: NonNullable<Hold['tokens']>
}

const flushedLines = 100
const flushedBytes = 1024 * 1024

/** Runs within the transaction that records a batch. */
type MarkRecorded = (transaction: Queries) => Promise<void>

interface BatchBeginning {
  readonly payer: Payer
  readonly range: BatchRange
  readonly spendable: () => Promise<number>
  readonly maxOpen: number
  readonly mark: MarkRecorded
}

interface BatchHold extends Pick<BatchBeginning, 'payer' | 'maxOpen' | 'mark'> {
  readonly amount: number
  readonly tokens: BatchRange['tokens']
}

/** Keeps the lines of a batch as they are read. There is no batch before `begin`; what is left otherwise is removed by a job. */
export class BatchWriter {
  #pending: NewLine[] = []
  #pendingBytes = 0
  #count = 0

  private constructor(
    private readonly deps: Deps,
    private readonly row: BatchRow,
    private readonly book: LineBook,
  ) {}

  static async open(deps: Deps, { id, dialect, endpoint, inputFileId }: NewBatch): Promise<BatchWriter> {
    const { clock, database, random, seal } = deps
    const now = clock.seconds()
    const row = await database.query
      .insertInto('batches')
      .values({
        task_id: id,
        dialect,
        endpoint,
        input_file_id: inputFileId,
        key_sealed: seal.seal(newContentKey(random), batchKeyContext(id)),
        created_at: now,
        expires_at: now + unfinishedSeconds,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return new BatchWriter(deps, row, new LineBook(deps, row))
  }

  async add(line: NewLine): Promise<void> {
    this.#pending.push(line)
    this.#pendingBytes += line.text.length
    this.#count += 1
    if (this.#pending.length >= flushedLines || this.#pendingBytes >= flushedBytes) await this.#flush()
  }

  /**
   * Records the batch and holds what its lines may cost: the most, or where that is more than the balance has a share of it. From then on it runs.
   * @throws AppError `quota.user`, `quota.token`, `quota.window`, `batch.open`; there is no batch then.
   */
  async begin(
    task: NewTask,
    terms: BatchTerms,
    { payer, range, spendable, maxOpen, mark }: BatchBeginning,
  ): Promise<Batch> {
    await this.#flush()
    const { max, min } = range
    const hold = (share: number) =>
      this.#hold(
        task,
        { ...terms, share },
        { payer, amount: min + Math.floor((max - min) * share), tokens: range.tokens, maxOpen, mark },
      )
    try {
      await hold(1)
    } catch (error) {
      if (!isOutOfQuota(error) || min === max) throw error
      const share = (Math.min(max, await spendable()) - min) / (max - min)
      if (!(share >= 0 && share < 1)) throw error
      await hold(share)
    }
    await this.deps.changes.deliver()
    return this.#batch()
  }

  /** Records a batch that does not begin, with what is wrong with it. */
  async fail(task: NewTask, terms: Partial<BatchTerms>, mark: MarkRecorded): Promise<Batch> {
    const { clock, database } = this.deps
    const { task_id: id } = this.row
    await database.query.deleteFrom('batch_lines').where('batch_id', '=', id).execute()
    await database.query.transaction().execute(async (transaction) => {
      await mark(transaction)
      await insertTask(task, transaction)
      const row = await taskByPublicId(transaction, id)
      const reason = terms.errors?.[0]?.message ?? ''
      const end = { status: 'FAILURE', fail_reason: reason, finished_at: clock.now(), poll_at: null } as const
      if (row) await moveTask(transaction, row.id, end)
      await transaction
        .updateTable('batches')
        .set({ terms: JSON.stringify({ ...noTerms, ...terms }), expires_at: clock.seconds() + maxLifeSeconds })
        .where('task_id', '=', id)
        .execute()
    })
    return this.#batch()
  }

  /** Gives it up: a job removes what was kept. */
  async abandon(): Promise<void> {
    const { clock, database } = this.deps
    await database.query
      .updateTable('batches')
      .set({ expires_at: clock.seconds() })
      .where('task_id', '=', this.row.task_id)
      .where('claimed_until', 'is', null)
      .execute()
  }

  async #hold(task: NewTask, terms: BatchTerms, { payer, amount, tokens, maxOpen, mark }: BatchHold): Promise<void> {
    const { changes, clock, ledger } = this.deps
    const { task_id: id } = this.row
    await ledger.hold({ id, payer, amount, tokens }, async (transaction) => {
      if ((await countOpenBatches(transaction, payer.userId)) >= maxOpen)
        throw new AppError('batch.open', { params: { limit: maxOpen } })
      await mark(transaction)
      await insertTask(task, transaction)
      await transaction
        .updateTable('batches')
        .set({
          total: this.#count,
          terms: JSON.stringify(terms),
          claimed_until: clock.now(),
          expires_at: clock.seconds() + maxLifeSeconds,
        })
        .where('task_id', '=', id)
        .execute()
      await changes.announce({ topic: 'task', refId: 0 }, transaction)
    })
  }

  async #batch(): Promise<Batch> {
    const { query } = this.deps.database
    const [task, row] = await Promise.all([taskByPublicId(query, this.row.task_id), batchRow(query, this.row.task_id)])
    if (!task || !row) throw new AppError('task.none', { params: { id: this.row.task_id } })
    return { task, row }
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return
    const lines = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    await this.deps.database.query.transaction().execute((transaction) => this.book.insert(transaction, lines))
  }
}

/** Returns the members of a new batch's task that are the same for all. */
export const batchTask = (now: number): Pick<NewTask, 'platform' | 'submittedAt' | 'submittedBy' | 'isPolled'> => ({
  platform: batchPlatform,
  submittedAt: now,
  submittedBy: now + batchSeconds * 1000,
  isPolled: false,
})
