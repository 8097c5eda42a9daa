import type { BatchReply } from './batch-book'
import { newId, other, submission, type StoredFile } from './stored-files'

/** Files as OpenAI has them, and hosts with its form. https://platform.openai.com/docs/api-reference/files */
export class OpenAiFiles {
  readonly files = new Map<string, StoredFile>()
  readonly #written = new Set<string>()

  async reply(request: Request, id: string, action: string): Promise<BatchReply> {
    if (request.method === 'POST' && id === '') {
      const form = await request.formData()
      const file = form.get('file')
      if (!(file instanceof File) || form.get('purpose') !== 'batch') return refuse(400, 'The form is wrong')
      const stored = { id: newId('file-'), filename: file.name, purpose: 'batch', text: await file.text() }
      this.files.set(stored.id, stored)
      return submission(showFile(stored))
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

  /** Returns the id of a file of results, which is there until it is deleted; null where it would be empty. */
  resultsOf(batchId: string, kind: string, lines: readonly object[]): string | null {
    if (lines.length === 0) return null
    const id = `file-${kind}-${batchId}`
    if (this.#written.has(id)) return id
    this.#written.add(id)
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    this.files.set(id, { id, filename: `${batchId}_${kind}.jsonl`, purpose: 'batch_output', text })
    return id
  }
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

export const refuse = (status: number, message: string): BatchReply => ({
  kind: 'other',
  response: Response.json({ error: { message, type: 'invalid_request_error', code: null, param: null } }, { status }),
})
