import type { BatchApi } from '@tollgate/providers'

import { nextTurn } from '../../../platform/time/timers'
import type { BatchRow } from '../../../platform/store/tables'
import { lineState, waitingLines, type LineBook } from '../../../tasks/batches/batch-lines'
import type { RelayDeps } from '../../call-context'
import { LongWork } from '../../in-flight/long-work'
import { requestIn } from '../line-results'
import { NotForVendor, type VendorLines } from './vendor-line'
import { frameLines } from './vendor-requests'

/** The calls of a batch as they are sent: how long they are. */
export interface MeasuredCalls {
  readonly bytes: number
  readonly count: number
  /** What the vendor's batches call the path of all. */
  readonly path: string
  /** What goes with all requests about the batch. */
  readonly headers: Readonly<Record<string, string>>
}

const rowsAtOnce = 100

/** The calls of a batch that wait, in the vendor's terms, read anew each time: no more than a few are in memory. */
export class WrittenCalls {
  #headers: Readonly<Record<string, string>> = {}
  #path = ''
  readonly #work: LongWork

  constructor(
    private readonly row: BatchRow,
    private readonly book: LineBook,
    private readonly lines: VendorLines,
    private readonly deps: RelayDeps,
  ) {
    this.#work = new LongWork(deps.inFlight)
  }

  /** @throws NotForVendor where one of them cannot be written or goes to another path, or all are too few or too long together. */
  async measure(api: BatchApi): Promise<MeasuredCalls> {
    let [bytes, pieces] = [0, 0]
    for await (const { byteLength } of frameLines(api, this.row.task_id, this.write(api))) {
      bytes += byteLength
      pieces += 1
      if (bytes > api.maxBytes) throw new NotForVendor('The calls are too long together')
    }
    // The last piece ends the list.
    const count = pieces - 1
    if (count < (api.minLines ?? 1)) throw new NotForVendor('The calls are too few')
    return { bytes, count, path: this.#path, headers: this.#headers }
  }

  async *write(api: BatchApi): AsyncGenerator<string, void> {
    const { task_id: id } = this.row
    for (let after = 0; ;) {
      const rows = await waitingLines(this.deps.ctx.database.query, id, rowsAtOnce, after)
      if (rows.length === 0) return
      for (const row of rows) {
        const request = requestIn(this.book.open(row.line, lineState.waiting, row.content))
        const { body, path, headers } = await this.lines.write(row, request, api)
        if (after === 0) {
          this.#headers = ofAccount(headers)
          this.#path = path
        }
        if (path !== this.#path) throw new NotForVendor('The calls go to several paths')
        after = row.line
        yield api.writeLine({ id: this.lines.idOf(row.line), path, body })
        this.#work.step(body.length, 0)
        // Others are served meanwhile.
        await nextTurn()
      }
    }
  }
}

/** Those by which the account is told apart, and for which form of a dialect the calls are written. */
const ofAccount = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => /^(?:anthropic|openai)-/.test(name)))
