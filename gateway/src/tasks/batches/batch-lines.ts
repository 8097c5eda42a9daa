import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'
import type { BatchRow } from '../../platform/store/tables'
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

/** Resolves with the next lines that wait, at most `limit`. `after`: the line that they come after. */
export const waitingLines = (query: Queries, batchId: string, limit: number, after = 0) =>
  query
    .selectFrom('batch_lines')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('state', '=', lineState.waiting)
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .execute()

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
  for (let after = 0; ;) {
    const rows = await deps.database.query
      .selectFrom('batch_lines')
      .select(['line', 'state', 'content'])
      .where('batch_id', '=', batch.task_id)
      .where('state', 'in', states)
      .where('line', '>', after)
      .orderBy('line')
      .limit(linesAtOnce)
      .execute()
    for (const { line, state, content } of rows) yield Buffer.from(`${book.open(line, state as LineState, content)}\n`)
    after = rows.at(-1)?.line ?? 0
    if (rows.length < linesAtOnce) return
  }
}
