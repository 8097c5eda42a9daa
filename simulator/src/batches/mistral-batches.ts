import { objectOr } from '../json'
import { stateOf, type BatchBook, type BatchReply, type BatchState, type StandInBatch } from './batch-book'
import { countsOf } from './openai-batches'
import { OpenAiFiles, refuse } from './openai-files'
import { jsonLines, newId, other, submission } from './stored-files'

const names: Readonly<Record<BatchState, string>> = {
  accepted: 'QUEUED',
  running: 'RUNNING',
  cancelling: 'CANCELLATION_REQUESTED',
  refused: 'FAILED',
  done: 'SUCCESS',
  cancelled: 'CANCELLED',
  expired: 'TIMEOUT_EXCEEDED',
}

/** Files and jobs as Mistral has them. https://docs.mistral.ai/capabilities/batch */
export class MistralBatches {
  readonly #files = new OpenAiFiles()
  readonly files = this.#files.files

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [, room, id = '', action = ''] = /^\/v1\/(files|batch\/jobs)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (room === 'files') return this.#files.reply(request, id, action)
    if (room === undefined) return null
    if (request.method === 'POST' && id === '') return this.#create(objectOr(await request.json()))
    const all = [...this.batchBook.batches.values()]
    if (id === '') return other({ object: 'list', data: all.map((batch) => this.#show(batch)), total: all.length })
    const batch = this.batchBook.batches.get(id)
    if (!batch) return refuse(404, 'Job not found')
    if (action !== 'cancel') return other(this.#show(batch, await this.batchBook.query(batch)))
    batch.isCancelled = true
    return other(this.#show(batch))
  }

  #create(order: Readonly<Record<string, unknown>>): BatchReply {
    const { input_files: inputs, endpoint, model } = order
    const file = this.files.get(Array.isArray(inputs) ? String(inputs[0]) : '')
    if (!file || typeof model !== 'string') return refuse(422, 'The input file or the model is not there')
    const calls = jsonLines(file.text).map((line) => {
      const { custom_id: id, body } = objectOr(line)
      return { id: String(id), path: String(endpoint), body: { ...objectOr(body), model } }
    })
    return submission(this.#show(this.batchBook.submit(newId('job-'), calls, order)))
  }

  #show(batch: StandInBatch, state = stateOf(batch)): object {
    const { good, bad, counts } = countsOf(batch)
    const { input_files, endpoint, model, metadata } = batch.order
    return {
      id: batch.id,
      object: 'batch',
      input_files,
      endpoint,
      model,
      metadata,
      status: names[state],
      output_file: this.#files.resultsOf(batch.id, 'output', good),
      error_file: this.#files.resultsOf(batch.id, 'error', bad),
      errors: state === 'refused' ? [{ message: 'The line is wrong', count: 1 }] : [],
      created_at: Math.floor(batch.createdAt / 1000),
      total_requests: counts.total,
      completed_requests: counts.succeeded + counts.failed,
      succeeded_requests: counts.succeeded,
      failed_requests: counts.failed,
    }
  }
}
