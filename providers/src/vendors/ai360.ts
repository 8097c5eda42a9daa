import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat, openAiEmbeddings } from '../modes'
import { defineProvider } from '../provider'

/** A host of many makers' models, named `maker/model`, and of its own. https://ai.360.com/docs/437061603e0 */
export const ai360 = defineProvider({
  type: 19,
  id: 'ai360',
  name: { en: '360 AI Brain', zh: '360 智脑' },
  baseUrl: 'https://api.360.cn',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('fk…'),
  modes: { chat: openAiChat(), embeddings: openAiEmbeddings() },
  fields: [],
  models: [
    '360gpt2-pro',
    '360gpt-pro',
    '360gpt-turbo',
    '360gpt-turbo-responsibility-8k',
    '360GPT_S2_V9',
    'embedding-bert-512-v1',
    'embedding_s1_v1',
    'semantic_similarity_s1_v1',
  ],
  modelList: openAiModelList(),
})
