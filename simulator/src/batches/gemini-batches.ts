import { objectOr } from '../json'
import {
  stateOf,
  type BatchBook,
  type BatchReply,
  type BatchState,
  type StandInBatch,
  type StandInResult,
} from './batch-book'
import { jsonLines, newId, other, submission, type StoredFile } from './stored-files'

const names: Readonly<Record<BatchState, string>> = {
  accepted: 'PENDING',
  running: 'RUNNING',
  cancelling: 'RUNNING',
  refused: 'FAILED',
  done: 'SUCCEEDED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

/** Files and batches as Google AI Studio has them. https://ai.google.dev/gemini-api/docs/batch-api */
export class GeminiBatches {
  readonly files = new Map<string, StoredFile>()
  readonly #written = new Set<string>()

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [, prefix, rest = ''] = /^(\/upload|\/download)?\/v1beta\/(.+)$/.exec(path) ?? []
    if (prefix === '/upload') return this.#upload(request)
    const [, model] = /^models\/([^/]+):batchGenerateContent$/.exec(rest) ?? []
    if (model !== undefined) return this.#create(model, objectOr(await request.json()))
    const [name = '', action = ''] = rest.split(':')
    if (prefix === '/download') return this.#download(name)
    if (name === 'files') return other({ files: [...this.files.values()].map(showFile) })
    if (name === 'batches')
      return other({ operations: [...this.batchBook.batches.values()].map((one) => this.#show(one)) })
    return name.startsWith('files/') ? this.#ofFile(request, name) : this.#ofBatch(request, name, action)
  }

  /** The description of the file, then its content. */
  async #upload(request: Request): Promise<BatchReply> {
    const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '')?.[1] ?? ''
    if (request.headers.get('x-goog-upload-protocol') !== 'multipart') return refuse(400, 'INVALID_ARGUMENT')
    const [, described = '', content = ''] = (await request.text()).split(`--${boundary}`)
    const textOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
    const filename = String(objectOr(objectOr(JSON.parse(textOf(described)))['file'])['displayName'])
    const stored = { id: newId('files/'), filename, purpose: 'batch', text: textOf(content) }
    this.files.set(stored.id, stored)
    return submission({ file: showFile(stored) })
  }

  #create(model: string, { batch }: Readonly<Record<string, unknown>>): BatchReply {
    const order = objectOr(batch)
    const file = this.files.get(String(objectOr(order['inputConfig'])['fileName']))
    if (!file) return refuse(404, 'NOT_FOUND')
    const path = `/v1beta/models/${model}:generateContent`
    const calls = jsonLines(file.text).map((line) => {
      const { key, request } = objectOr(line)
      return { id: String(key), path, body: request }
    })
    return submission(this.#show(this.batchBook.submit(newId('batches/'), calls, { ...order, model })))
  }

  #ofFile(request: Request, name: string): BatchReply {
    const file = this.files.get(name)
    if (!file) return refuse(403, 'PERMISSION_DENIED')
    if (request.method === 'DELETE') this.files.delete(name)
    return other(request.method === 'DELETE' ? {} : showFile(file))
  }

  #download(name: string): BatchReply {
    const file = this.files.get(name)
    return file ? { kind: 'other', response: new Response(file.text) } : refuse(404, 'NOT_FOUND')
  }

  async #ofBatch(request: Request, name: string, action: string): Promise<BatchReply> {
    const batch = this.batchBook.batches.get(name)
    if (!batch) return refuse(404, 'NOT_FOUND')
    if (request.method === 'DELETE') {
      this.batchBook.batches.delete(name)
      return other({})
    }
    if (action !== 'cancel') return other(this.#show(batch, await this.batchBook.query(batch)))
    batch.isCancelled = true
    return other({})
  }

  #show(batch: StandInBatch, state = stateOf(batch)): object {
    const results = [...(batch.results ?? [])]
    const succeeded = batch.results
      ? results.filter(([, result]) => result?.status === 200).length
      : batch.shown.succeeded
    const failed = batch.results ? results.length - succeeded : batch.shown.failed
    const responsesFile = this.#resultsOf(batch, results)
    return {
      name: batch.id,
      metadata: {
        '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
        model: `models/${String(batch.order['model'])}`,
        displayName: batch.order['displayName'],
        createTime: new Date(batch.createdAt).toISOString(),
        state: `BATCH_STATE_${names[state]}`,
        // 64-bit numbers are texts in Google's JSON, and those that are 0 are left out.
        batchStats: {
          requestCount: String(batch.calls.length),
          ...(succeeded > 0 && { successfulRequestCount: String(succeeded) }),
          ...(failed > 0 && { failedRequestCount: String(failed) }),
        },
      },
      ...(responsesFile !== null && { done: true, response: { responsesFile } }),
      ...(state === 'refused' && { done: true, error: { code: 3, message: 'The line is wrong' } }),
    }
  }

  #resultsOf({ id, results }: StandInBatch, lines: readonly (readonly [string, StandInResult])[]): string | null {
    if (results === null) return null
    const name = `files/results-${id.slice('batches/'.length)}`
    if (this.#written.has(name)) return name
    this.#written.add(name)
    // What was not made has no line.
    const text = lines.flatMap(([key, result]) => (result ? [JSON.stringify(lineOf(key, result))] : [])).join('\n')
    this.files.set(name, { id: name, filename: name, purpose: 'batch_output', text: `${text}\n` })
    return name
  }
}

function lineOf(key: string, { status, body }: NonNullable<StandInResult>): object {
  return status === 200
    ? { key, response: body }
    : { key, error: { code: status, ...objectOr(objectOr(body)['error']) } }
}

const showFile = ({ id, filename, text }: StoredFile) => ({
  name: id,
  displayName: filename,
  mimeType: 'application/jsonl',
  sizeBytes: String(Buffer.byteLength(text)),
  state: 'ACTIVE',
})

const refuse = (code: number, status: string): BatchReply => ({
  kind: 'other',
  response: Response.json({ error: { code, message: 'The request is wrong', status } }, { status: code }),
})
