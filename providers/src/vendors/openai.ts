import { bearer, organization } from '../auth'
import { openAiBalance } from '../balance'
import { keyFormat, organizationField } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat, openAiCompletions, openAiEmbeddings, openAiModerations, openAiResponses } from '../modes'
import { defineProvider } from '../provider'
import { shapeReasoning, shapeResponses } from '../reasoning'
import { openAiPath } from '../urls'
import { openAiModels } from './openai-models'

const url = openAiPath('/v1', '')

/** https://platform.openai.com/docs/api-reference */
export const openAi = defineProvider({
  type: 1,
  id: 'openai',
  name: { en: 'OpenAI', zh: 'OpenAI' },
  baseUrl: 'https://api.openai.com',
  auth: bearer(),
  key: keyFormat('sk-…'),
  modes: {
    chat: openAiChat({ url, headers: organization, shape: shapeReasoning }),
    completions: openAiCompletions({ url, headers: organization }),
    embeddings: openAiEmbeddings({ url, headers: organization }),
    moderation: openAiModerations({ url, headers: organization }),
  },
  responses: openAiResponses({
    url: openAiPath('/v1', '', 'responses'),
    headers: organization,
    shape: shapeResponses,
    keepsState: true,
  }),
  fields: [organizationField],
  models: openAiModels,
  modelList: openAiModelList(),
  balance: openAiBalance(),
})
