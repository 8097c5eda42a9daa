import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { parseNamedModels } from '../model-list'
import { plainRerank } from '../modes'
import { defineProvider, type ModelListCall, type Target } from '../provider'

const at =
  (task: string) =>
  ({ baseUrl }: Target): string =>
    `${baseUrl}/v2/${task}`

/** https://docs.cohere.com/reference/list-models */
const modelList: ModelListCall = {
  request: (target) => ({ url: `${target.baseUrl}/v1/models?page_size=1000`, headers: bearer()(target) }),
  parse: parseNamedModels,
}

/** https://docs.cohere.com/reference/about */
export const cohere = defineProvider({
  type: 34,
  id: 'cohere',
  name: { en: 'Cohere', zh: 'Cohere' },
  baseUrl: 'https://api.cohere.ai',
  auth: bearer(),
  billsAbandoned: 'whole',
  key: keyFormat('0123456789abcdef…'),
  modes: {
    chat: { dialect: 'cohere-chat', url: at('chat'), acceptsStreamOptions: false },
    embeddings: { dialect: 'cohere-embeddings', url: at('embed'), acceptsStreamOptions: false },
    rerank: plainRerank({ url: at('rerank') }),
  },
  fields: [],
  models: [
    'command-a-03-2025',
    'command-a-reasoning-08-2025',
    'command-a-vision-07-2025',
    'command-r7b-12-2024',
    'command-r-plus-08-2024',
    'command-r-08-2024',
    'command-r-plus',
    'command-r',
    'command',
    'command-light',
    'command-nightly',
    'c4ai-aya-expanse-32b',
    'c4ai-aya-expanse-8b',
    'c4ai-aya-23-35b',
    'c4ai-aya-23-8b',
    'embed-v4.0',
    'embed-english-v3.0',
    'embed-multilingual-v3.0',
    'rerank-v3.5',
    'rerank-english-v3.0',
    'rerank-multilingual-v3.0',
    'rerank-english-v2.0',
    'rerank-multilingual-v2.0',
  ],
  modelList,
})
