import { whole, type Answer } from '../answer'
import type { Account } from '../openai/account'
import { Refusal } from '../refusal'

const model = (id: string) => ({
  name: `models/${id}`,
  version: '001',
  displayName: id,
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: id.includes('embedding')
    ? ['embedContent', 'batchEmbedContents', 'countTokens']
    : ['generateContent', 'countTokens'],
})

/** A page of the models: `pageSize` of them, 50 if not said. */
export function modelPage(account: Account, query: string): Answer {
  const params = new URLSearchParams(query)
  const start = Number(params.get('pageToken') ?? 0)
  const end = start + Number(params.get('pageSize') ?? 50)
  const isMore = end < account.models.length
  return whole({
    models: account.models.slice(start, end).map(model),
    ...(isMore ? { nextPageToken: String(end) } : {}),
  })
}

export function oneModel(account: Account, id: string): Answer {
  if (!account.models.includes(id)) throw new Refusal(404, `Model is not found: models/${id}`)
  return whole(model(id))
}
