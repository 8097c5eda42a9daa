import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiEmbeddings, rerank } from '../modes'
import { defineProvider } from '../provider'

/** https://jina.ai/embeddings/ */
export const jina = defineProvider({
  type: 38,
  id: 'jina',
  name: { en: 'Jina AI', zh: 'Jina AI' },
  baseUrl: 'https://api.jina.ai',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('jina_…'),
  modes: { embeddings: openAiEmbeddings(), rerank: rerank() },
  fields: [],
  models: [
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
