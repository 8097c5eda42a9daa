import { bearer, organization } from '../auth'
import { openAiBalance } from '../balance'
import { keyFormat, organizationField } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat, openAiCompletions, openAiEmbeddings, openAiModerations } from '../modes'
import { defineProvider } from '../provider'
import { shapeReasoning } from '../reasoning'
import { openAiModels } from './openai-models'

/** https://platform.openai.com/docs/api-reference */
export const openAi = defineProvider({
  type: 1,
  id: 'openai',
  name: { en: 'OpenAI', zh: 'OpenAI' },
  baseUrl: 'https://api.openai.com',
  auth: bearer(),
  key: keyFormat('sk-…'),
  modes: {
    chat: openAiChat({ headers: organization, shape: shapeReasoning }),
    completions: openAiCompletions({ headers: organization }),
    embeddings: openAiEmbeddings({ headers: organization }),
    moderation: openAiModerations({ headers: organization }),
  },
  fields: [organizationField],
  models: openAiModels,
  modelList: openAiModelList(),
  balance: openAiBalance(),
})
