import { bearer, organization } from '../auth'
import { openAiBalance } from '../balance'
import { openAiBatches } from '../batches/openai-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { keyFormat, organizationField } from '../fields'
import { openAiModelList } from '../model-list'
import {
  openAiAudio,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
  openAiImageEdits,
  openAiImages,
  openAiModerations,
  openAiResponses,
} from '../modes'
import { defineProvider } from '../provider'
import { codexLogin, ownLoginFields } from '../own-login'
import { openAiRealtime } from '../realtime'
import { shapeReasoning, shapeResponses } from '../reasoning'
import { needsResponses } from '../responses-only'
import { shapedAtHost } from '../shape'
import { isCloudflareGateway, openAiPath } from '../urls'
import { openAiVideos } from '../videos/openai-videos'
import { chatLimitsAt } from './chat-hosts'
import { openAiModels } from './openai-models'

const url = openAiPath('/v1', '')

const chat = openAiChat({ url, headers: organization, shape: shapedAtHost(shapeReasoning, chatLimitsAt) })
const responses = openAiResponses({
  url: openAiPath('/v1', '', 'responses'),
  headers: organization,
  shape: shapeResponses,
})

const withVersion = (baseUrl: string): string => (isCloudflareGateway(baseUrl) ? baseUrl : `${baseUrl}/v1`)
const batches = openAiBatches(({ baseUrl }) => withVersion(baseUrl))

/** https://platform.openai.com/docs/api-reference */
export const openAi = defineProvider({
  type: 1,
  id: 'openai',
  name: { en: 'OpenAI', zh: 'OpenAI' },
  baseUrl: 'https://api.openai.com',
  auth: bearer(),
  billsAbandoned: 'whole',
  key: keyFormat('sk-…'),
  ownLogin: codexLogin,
  modes: {
    chat: (target) => (needsResponses(target) ? responses : chat),
    completions: openAiCompletions({ url, headers: organization }),
    embeddings: openAiEmbeddings({ url, headers: organization }),
    images: openAiImages({ url, headers: organization }),
    'image-edits': openAiImageEdits({ url, headers: organization }),
    'image-variations': openAiImageEdits({ url, headers: organization }),
    moderation: openAiModerations({ url, headers: organization }),
    ...openAiAudio({ url, headers: organization }),
    realtime: openAiRealtime({ headers: organization }),
  },
  responses,
  tasks: { video: openAiVideos(withVersion) },
  batches: () => batches,
  fields: [organizationField, vendorBatchesField, ...ownLoginFields],
  models: openAiModels,
  modelList: openAiModelList(),
  balance: openAiBalance(),
})
