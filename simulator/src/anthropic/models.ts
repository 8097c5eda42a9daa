import { whole, type Answer } from '../answer'
import type { Account } from '../openai/account'
import { Refusal } from '../refusal'

const model = (id: string) => ({ type: 'model', id, display_name: id, created_at: '2025-06-15T00:00:00Z' })

/** A page of the models: `limit` of them, 20 if not said, after `after_id`. */
export function modelPage(account: Account, query: string): Answer {
  const params = new URLSearchParams(query)
  const after = params.get('after_id')
  const start = after === null ? 0 : account.models.indexOf(after) + 1
  const end = start + Number(params.get('limit') ?? 20)
  const data = account.models.slice(start, end).map(model)
  return whole({
    data,
    has_more: end < account.models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  })
}

export function oneModel(account: Account, id: string): Answer {
  if (!account.models.includes(id)) throw new Refusal(404, `model: ${id}`)
  return whole(model(id))
}
