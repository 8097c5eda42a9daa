import { objectOr } from '../json'
import { stateOf, type BatchBook, type BatchReply, type BatchState, type StandInBatch } from './batch-book'

const names: Readonly<Record<BatchState, string>> = {
  accepted: 'validating',
  running: 'in_progress',
  cancelling: 'cancelling',
  refused: 'failed',
  done: 'completed',
  cancelled: 'cancelled',
  expired: 'expired',
}

interface StoredFile {
  readonly id: string
  readonly filename: string
  readonly purpose: string
  readonly text: string
}

/** Files and batches as OpenAI has them. https://platform.openai.com/docs/api-reference/batch */
export class OpenAiBatches {
  readonly files = new Map<string, StoredFile>()

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [, room, id = '', action = ''] = /^\/v1\/(files|batches)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (room === undefined) return null
    return room === 'files' ? this.#ofFile(request, id, action) : this.#ofBatch(request, id, action)
  }

  async #ofFile(request: Request, id: string, action: string): Promise<BatchReply> {
    if (request.method === 'POST' && id === '') {
      const form = await request.formData()
      const file = form.get('file')
      if (!(file instanceof File) || form.get('purpose') !== 'batch') return refuse(400, 'The form is wrong')
      const stored = { id: newId('file-'), filename: file.name, purpose: 'batch', text: await file.text() }
      this.files.set(stored.id, stored)
      return { kind: 'submission', response: Response.json(showFile(stored)) }
    }
    if (id === '')
      return other({ object: 'list', data: [...this.files.values()].toReversed().map(showFile), has_more: false })
    const file = this.files.get(id)
    if (!file) return refuse(404, 'No such File object')
    if (request.method === 'DELETE') {
      this.files.delete(id)
      return other({ id, object: 'file', deleted: true })
    }
    return action === 'content' ? { kind: 'other', response: new Response(file.text) } : other(showFile(file))
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
    const calls = file.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { custom_id: id, method, url, body } = objectOr(JSON.parse(line))
        if (method !== 'POST' || url !== endpoint) throw new RangeError('A line is wrong')
        return { id: String(id), path: String(url), body }
      })
    const batch = this.batchBook.submit(newId('batch_'), calls, order)
    return { kind: 'submission', response: Response.json(this.#showBatch(batch)) }
  }

  #showBatch(batch: StandInBatch, state = stateOf(batch)): object {
    const results = [...(batch.results ?? [])]
    const good = results.filter(([, result]) => result?.status === 200)
    const bad = results.filter(([, result]) => result?.status !== 200)
    const count = (some: unknown[], shown: number) => (batch.results ? some.length : shown)
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
      output_file_id: this.#fileOf(batch, 'output', good),
      error_file_id: this.#fileOf(batch, 'error', bad),
      created_at: Math.floor(batch.createdAt / 1000),
      request_counts: {
        total: batch.calls.length,
        completed: count(good, batch.shown.succeeded),
        failed: count(
          bad.filter(([, result]) => result !== null),
          batch.shown.failed,
        ),
      },
      metadata: batch.order['metadata'] ?? null,
    }
  }

  /** Returns the id of a file of results, which is there until it is deleted; null where it would be empty. */
  #fileOf(batch: StandInBatch, kind: string, results: readonly Result[]): string | null {
    if (results.length === 0) return null
    const id = `file-${kind}-${batch.id}`
    if (this.#written.has(id)) return id
    this.#written.add(id)
    const text = results.map(([callId, result]) => JSON.stringify(lineOf(callId, result, stateOf(batch)))).join('\n')
    this.files.set(id, { id, filename: `${batch.id}_${kind}.jsonl`, purpose: 'batch_output', text: `${text}\n` })
    return id
  }

  readonly #written = new Set<string>()
}

type Result = readonly [string, { readonly status: number; readonly body: unknown } | null]

function lineOf(id: string, result: Result[1], state: BatchState): object {
  const common = { id: `batch_req_${id}`, custom_id: id }
  if (result) {
    const response = { status_code: result.status, request_id: `req_${id}`, body: result.body }
    return { ...common, response, error: null }
  }
  const code = state === 'expired' ? 'batch_expired' : 'batch_cancelled'
  return { ...common, response: null, error: { code, message: 'The call was not made' } }
}

const showFile = ({ id, filename, purpose, text }: StoredFile) => ({
  id,
  object: 'file',
  bytes: Buffer.byteLength(text),
  created_at: Math.floor(Date.now() / 1000),
  filename,
  purpose,
  status: 'processed',
})

const other = (body: unknown): BatchReply => ({ kind: 'other', response: Response.json(body) })
const refuse = (status: number, message: string): BatchReply => ({
  kind: 'other',
  response: Response.json({ error: { message, type: 'invalid_request_error', code: null, param: null } }, { status }),
})
const newId = (prefix: string): string => `${prefix}${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
