import { objectOr } from '../json'
import {
  stateOf,
  type BatchBook,
  type BatchReply,
  type BatchState,
  type StandInBatch,
  type StandInResult,
} from './batch-book'

const running: ReadonlySet<BatchState> = new Set(['accepted', 'running'])

/** Batches of messages as Anthropic has them. https://docs.claude.com/en/api/creating-message-batches */
export class MessageBatches {
  /** It has none. */
  readonly files = new Map<string, never>()

  constructor(private readonly batchBook: BatchBook) {}

  async reply(request: Request, path: string): Promise<BatchReply> {
    const [found, id = '', action = ''] = /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (found === undefined) return null
    if (id === '' && request.method === 'POST') return this.#create(objectOr(await request.json()))
    if (id === '') {
      const data = [...this.batchBook.batches.values()].toReversed().map((batch) => showBatch(batch))
      return other({ data, has_more: false, first_id: null, last_id: null })
    }
    const batch = this.batchBook.batches.get(id)
    if (!batch) return refuse(404, 'not_found_error', 'Message batch not found')
    if (action === 'results') return resultsOf(batch)
    if (action === 'cancel') {
      if (batch.results !== null) return refuse(400, 'invalid_request_error', 'The batch has ended')
      batch.isCancelled = true
      return other(showBatch(batch))
    }
    if (request.method !== 'DELETE') return other(showBatch(batch, await this.batchBook.query(batch)))
    if (batch.results === null) return refuse(400, 'invalid_request_error', 'The batch has not ended')
    this.batchBook.batches.delete(id)
    return other({ id, type: 'message_batch_deleted' })
  }

  #create({ requests }: Readonly<Record<string, unknown>>): BatchReply {
    const list: unknown[] = Array.isArray(requests) ? requests : []
    const calls = list.map((value) => {
      const { custom_id: id, params } = objectOr(value)
      if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw new RangeError('A custom_id is wrong')
      return { id, path: '/v1/messages', body: params }
    })
    if (calls.length === 0) return refuse(400, 'invalid_request_error', 'requests: a list is expected')
    const id = `msgbatch_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
    const batch = this.batchBook.submit(id, calls)
    // Wrong calls are found at once.
    if (batch.fate === 'refuse') {
      this.batchBook.batches.delete(id)
      return refuse(400, 'invalid_request_error', 'requests.0.params: a call is wrong')
    }
    return { kind: 'submission', response: Response.json(showBatch(batch)) }
  }
}

function showBatch(batch: StandInBatch, state = stateOf(batch)): object {
  const results = [...(batch.results?.values() ?? [])]
  const countOf = (type: string) => results.filter((result) => resultOf(result, state).type === type).length
  const isOver = batch.results !== null
  const time = new Date(batch.createdAt).toISOString()
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: isOver ? 'ended' : running.has(state) ? 'in_progress' : 'canceling',
    request_counts: {
      processing: isOver ? 0 : batch.calls.length,
      succeeded: countOf('succeeded'),
      errored: countOf('errored'),
      canceled: countOf('canceled'),
      expired: countOf('expired'),
    },
    created_at: time,
    expires_at: new Date(batch.createdAt + 86_400_000).toISOString(),
    ended_at: isOver ? time : null,
    cancel_initiated_at: batch.isCancelled ? time : null,
    archived_at: null,
    results_url: isOver ? `https://api.anthropic.com/v1/messages/batches/${batch.id}/results` : null,
  }
}

function resultsOf(batch: StandInBatch): BatchReply {
  if (batch.results === null) return refuse(400, 'invalid_request_error', 'The batch has not ended')
  const lines = [...batch.results].map(([id, result]) =>
    JSON.stringify({ custom_id: id, result: resultOf(result, stateOf(batch)) }),
  )
  // Results come in any order.
  return { kind: 'other', response: new Response(`${lines.toReversed().join('\n')}\n`) }
}

function resultOf(result: StandInResult, state: BatchState) {
  if (result === null) return { type: state === 'expired' ? 'expired' : 'canceled' }
  return result.status === 200 ? { type: 'succeeded', message: result.body } : { type: 'errored', error: result.body }
}

const other = (body: unknown): BatchReply => ({ kind: 'other', response: Response.json(body) })
const refuse = (status: number, type: string, message: string): BatchReply => ({
  kind: 'other',
  response: Response.json({ type: 'error', error: { type, message } }, { status }),
})
