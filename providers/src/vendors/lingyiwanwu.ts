import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat } from '../modes'
import { defineProvider } from '../provider'

/** https://platform.lingyiwanwu.com/docs; the last chunk of a stream holds the usage unasked. */
export const lingyiwanwu = defineProvider({
  type: 31,
  id: 'lingyiwanwu',
  name: { en: '01.AI', zh: '零一万物' },
  baseUrl: 'https://api.lingyiwanwu.com',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('0123456789abcdef…'),
  modes: { chat: openAiChat({ acceptsStreamOptions: false }) },
  fields: [],
  models: [
    'yi-lightning',
    'yi-vision-v2',
    'yi-large',
    'yi-large-turbo',
    'yi-large-rag',
    'yi-large-fc',
    'yi-large-preview',
    'yi-large-rag-preview',
    'yi-medium',
    'yi-medium-200k',
    'yi-vision',
    'yi-spark',
  ],
  modelList: openAiModelList(),
})
