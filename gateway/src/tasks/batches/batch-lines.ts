import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'
import type { BatchRow } from '../../platform/store/tables'
import { nextTurn } from '../../platform/time/timers'
import { ContentCipher } from '../files/content-cipher'

/** States of a line. One that waits has its request, any other its result. */
export const lineState = { waiting: 0, succeeded: 1, failed: 2, cancelled: 3, expired: 4 } as const
export type LineState = (typeof lineState)[keyof typeof lineState]

const outputStates: readonly LineState[] = [lineState.succeeded]
const errorStates: readonly LineState[] = [lineState.failed, lineState.cancelled, lineState.expired]
/** All that have a result. */
export const endedStates: readonly LineState[] = [...outputStates, ...errorStates]

/** Returns the states of the lines that a file of results has, by its `place`. */
export const statesOfResults = (place: string): readonly LineState[] =>
  place === 'batch_output' ? outputStates : errorStates

export const batchKeyContext = (taskId: string): SealContext => `batches.key_sealed#${taskId}`

/** A request of a batch that is to be kept. */
export interface NewLine {
  /** From 1. */
  readonly line: number
  readonly model: string
  readonly maxQuota: number
  readonly minQuota: number
  /** JSON: see `LineRequest`. */
  readonly text: string
}

/** Encrypts and decrypts the lines of one batch. */
export class LineBook {
  readonly #cipher: ContentCipher

  constructor(
    { seal, random }: Pick<Context, 'seal' | 'random'>,
    private readonly batch: Pick<BatchRow, 'task_id' | 'key_sealed'>,
  ) {
    this.#cipher = new ContentCipher(seal.open(batch.key_sealed, batchKeyContext(batch.task_id)), random)
  }

  seal(line: number, state: LineState, text: string): Buffer<ArrayBuffer> {
    return this.#cipher.encrypt(Buffer.from(text), this.#place(line, state))
  }

  open(line: number, state: LineState, content: Uint8Array): string {
    return this.#cipher.decrypt(content, this.#place(line, state)).toString('utf8')
  }

  async insert(query: Queries | Transaction, lines: readonly NewLine[]): Promise<void> {
    await query
      .insertInto('batch_lines')
      .values(
        lines.map(({ line, model, maxQuota, minQuota, text }) => ({
          batch_id: this.batch.task_id,
          line,
          state: lineState.waiting,
          model,
          max_quota: maxQuota,
          min_quota: minQuota,
          bytes: 0,
          content: this.seal(line, lineState.waiting, text),
        })),
      )
      .execute()
  }

  #place(line: number, state: LineState): string {
    return `${this.batch.task_id}#${line}${state === lineState.waiting ? '' : '#result'}`
  }
}

/** Lines are read together while they have no more bytes than this; one alone may have any number. */
const maxBytesAtOnce = 4 * 1024 * 1024

/** Which lines are read next. */
interface LinesQuery {
  readonly states: readonly LineState[]
  readonly limit: number
  /** The line that they come after. */
  readonly after?: number
}

/** Resolves with the numbers of the next lines that are small enough together to be in memory; empty: there are none. */
export async function nextLines(
  query: Queries | Transaction,
  batchId: string,
  { states, limit, after = 0 }: LinesQuery,
): Promise<number[]> {
  const sizes = await query
    .selectFrom('batch_lines')
    .select(['line', sql<number>`length(content)`.as('size')])
    .where('batch_id', '=', batchId)
    .where('state', 'in', states)
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .execute()
  let bytes = 0
  const end = sizes.findIndex(({ size }, index) => (bytes += size) > maxBytesAtOnce && index > 0)
  return sizes.slice(0, end < 0 ? sizes.length : end).map(({ line }) => line)
}

/** Resolves with the next lines that wait, at most `limit` and not too many bytes; empty: none waits. `after`: the line that they come after. */
export async function waitingLines(query: Queries, batchId: string, limit: number, after = 0) {
  const lines = await nextLines(query, batchId, { states: [lineState.waiting], limit, after })
  if (lines.length === 0) return []
  return query
    .selectFrom('batch_lines')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', '=', lineState.waiting)
    .where('line', 'in', lines)
    .orderBy('line')
    .execute()
}

/** Resolves with a line that waits; undefined where it has a result, or there is none. */
export const waitingLine = (query: Queries, batchId: string, line: number) =>
  query
    .selectFrom('batch_lines')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('line', '=', line)
    .where('state', '=', lineState.waiting)
    .executeTakeFirst()

export type LineRow = Awaited<ReturnType<typeof waitingLines>>[number]

const linesAtOnce = 100

/** Yields the results of lines in these states, in the order of lines, a line feed after each. */
export async function* resultsOf(
  deps: Pick<Context, 'database' | 'seal' | 'random'>,
  batch: Pick<BatchRow, 'task_id' | 'key_sealed'>,
  states: readonly LineState[],
): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const book = new LineBook(deps, batch)
  const { query } = deps.database
  for (let after = 0; ;) {
    const lines = await nextLines(query, batch.task_id, { states, limit: linesAtOnce, after })
    if (lines.length === 0) return
    const rows = await query
      .selectFrom('batch_lines')
      .select(['line', 'state', 'content'])
      .where('batch_id', '=', batch.task_id)
      .where('state', 'in', states)
      .where('line', 'in', lines)
      .orderBy('line')
      .execute()
    yield Buffer.from(
      rows.map(({ line, state, content }) => `${book.open(line, state as LineState, content)}\n`).join(''),
    )
    // A local database alone never lets others have their turn.
    await nextTurn()
    after = lines.at(-1) ?? after
  }
}
