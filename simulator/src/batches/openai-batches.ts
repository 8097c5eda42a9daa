import { objectOr } from '../json'
import {
  stateOf,
  type BatchBook,
  type BatchReply,
  type BatchState,
  type StandInBatch,
  type StandInResult,
} from './batch-book'
import { OpenAiFiles, refuse } from './openai-files'
import { jsonLines, newId, other, submission } from './stored-files'

const names: Readonly<Record<BatchState, string>> = {
  accepted: 'validating',
  running: 'in_progress',
  cancelling: 'cancelling',
  refused: 'failed',
  done: 'completed',
  cancelled: 'cancelled',
  expired: 'expired',
}

/** Files and batches as OpenAI has them. https://platform.openai.com/docs/api-reference/batch */
export class OpenAiBatches {
  readonly #files = new OpenAiFiles()
  readonly files = this.#files.files

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [, room, id = '', action = ''] = /^\/v1\/(files|batches)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (room === undefined) return null
    return room === 'files' ? this.#files.reply(request, id, action) : this.#ofBatch(request, id, action)
  }

  async #ofBatch(request: Request, id: string, action: string): Promise<BatchReply> {
    if (request.method === 'POST' && id === '') return this.#create(objectOr(await request.json()))
    const all = [...this.batchBook.batches.values()]
    if (id === '')
      return other({ object: 'list', data: all.toReversed().map((batch) => this.#showBatch(batch)), has_more: false })
    const batch = this.batchBook.batches.get(id)
    if (!batch) return refuse(404, 'No such batch')
    if (action === 'cancel') {
      if (batch.results !== null || batch.fate === 'refuse') return refuse(409, 'The batch has ended')
      batch.isCancelled = true
      return other(this.#showBatch(batch))
    }
    return other(this.#showBatch(batch, await this.batchBook.query(batch)))
  }

  #create(order: Readonly<Record<string, unknown>>): BatchReply {
    const { input_file_id: fileId, endpoint } = order
    const file = this.files.get(String(fileId))
    if (!file || file.purpose !== 'batch') return refuse(400, 'The input file is not there')
    const calls = jsonLines(file.text).map((line) => {
      const { custom_id: id, method, url, body } = objectOr(line)
      if (method !== 'POST' || url !== endpoint) throw new RangeError('A line is wrong')
      return { id: String(id), path: String(url), body }
    })
    return submission(this.#showBatch(this.batchBook.submit(newId('batch_'), calls, order)))
  }

  #showBatch(batch: StandInBatch, state = stateOf(batch)): object {
    const { good, bad, counts } = countsOf(batch)
    return {
      id: batch.id,
      object: 'batch',
      endpoint: batch.order['endpoint'],
      errors:
        state === 'refused'
          ? { object: 'list', data: [{ code: 'invalid_request', line: 1, message: 'The line is wrong', param: null }] }
          : null,
      input_file_id: batch.order['input_file_id'],
      completion_window: '24h',
      status: names[state],
      output_file_id: this.#files.resultsOf(batch.id, 'output', good),
      error_file_id: this.#files.resultsOf(batch.id, 'error', bad),
      created_at: Math.floor(batch.createdAt / 1000),
      request_counts: { total: counts.total, completed: counts.succeeded, failed: counts.failed },
      metadata: batch.order['metadata'] ?? null,
    }
  }
}

/** Returns the lines of the results, and how many calls have ended. */
export function countsOf(batch: StandInBatch) {
  const results = [...(batch.results ?? [])]
  const good = results.filter(([, result]) => result?.status === 200)
  const bad = results.filter(([, result]) => result?.status !== 200)
  const failed = bad.filter(([, result]) => result !== null)
  const counts = batch.results ? { succeeded: good.length, failed: failed.length } : batch.shown
  const linesOf = (some: typeof results) => some.map(([id, result]) => lineOf(id, result, stateOf(batch)))
  return { good: linesOf(good), bad: linesOf(bad), counts: { ...counts, total: batch.calls.length } }
}

function lineOf(id: string, result: StandInResult, state: BatchState): object {
  const common = { id: `batch_req_${id}`, custom_id: id }
  if (result) {
    const response = { status_code: result.status, request_id: `req_${id}`, body: result.body }
    return { ...common, response, error: null }
  }
  const code = state === 'expired' ? 'batch_expired' : 'batch_cancelled'
  return { ...common, response: null, error: { code, message: 'The call was not made' } }
}
