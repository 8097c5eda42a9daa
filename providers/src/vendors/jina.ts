import { isObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiEmbeddings, rerank } from '../modes'
import { defineProvider } from '../provider'
import { type Change, composeShape } from '../shape'

/** Texts and pictures as Jina takes them, from the parts of OpenAI's chats. https://api.jina.ai/redoc */
const inOwnParts: Change = (body) => {
  const { input } = body
  if (!Array.isArray(input)) return body
  const items = input.map(ownPart)
  return items.every((item, index) => item === input[index]) ? body : { ...body, input: items }
}

function ownPart(item: unknown): unknown {
  if (!isObject(item)) return item
  const { type, text, image_url: url, content } = item
  if (Array.isArray(content)) return content.length === 1 ? ownPart(content[0]) : item
  if (type === 'text') return { text }
  return url === undefined ? item : { image: isObject(url) ? url['url'] : url }
}

/** https://jina.ai/embeddings/ */
export const jina = defineProvider({
  type: 38,
  id: 'jina',
  name: { en: 'Jina AI', zh: 'Jina AI' },
  baseUrl: 'https://api.jina.ai',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('jina_…'),
  modes: { embeddings: openAiEmbeddings({ shape: composeShape(inOwnParts) }), rerank: rerank() },
  fields: [],
  models: [
    'jina-embeddings-v5-text-small',
    'jina-embeddings-v5-text-nano',
    'jina-embeddings-v4',
    'jina-embeddings-v3',
    'jina-embeddings-v2-base-en',
    'jina-embeddings-v2-base-zh',
    'jina-embeddings-v2-base-code',
    'jina-code-embeddings-1.5b',
    'jina-clip-v2',
    'jina-clip-v1',
    'jina-reranker-v3',
    'jina-reranker-m0',
    'jina-reranker-v2-base-multilingual',
  ],
})
