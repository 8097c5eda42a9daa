import { writeCommonRerank, writePlainRerank } from '@tollgate/dialects'

import { bearer } from '../auth'
import { openAiBalance } from '../balance'
import { baseUrlField, keyFormat } from '../fields'
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
  rerank,
} from '../modes'
import { defineProvider, type ModeDescription, type Target } from '../provider'
import { openAiRealtime, sessionQuery, socketAddress } from '../realtime'
import { shapeReasoning, shapeResponses, splitEffort } from '../reasoning'
import { type Change, renameMember, composeShape, shapedAtHost, withoutMembers } from '../shape'
import { modelInPath, taskOf } from '../urls'
import { openAiVideos } from '../videos/openai-videos'
import { chatLimitsAt } from './chat-hosts'
import { openAiModels } from './openai-models'

const chatTail = '/chat/completions'

/** The base URL is the whole address of the call; calls of other modes are beside one that ends as a chat's does. */
const url = ({ baseUrl, model, mode }: Target): string => {
  const whole = baseUrl.includes('{model}')
    ? baseUrl.replaceAll('{model}', modelInPath(splitEffort(model).model))
    : baseUrl
  return mode !== 'chat' && whole.endsWith(chatTail) ? `${whole.slice(0, -chatTail.length)}/${taskOf(mode)}` : whole
}

/** Where a compatible server starts, for the pages next to its calls. */
const rootOf = (baseUrl: string): string => baseUrl.replace(/\/v1\/.*$|\/chat\/completions$/s, '')

/** Next to the chats, where the address ends as theirs does. */
const responsesUrl = (target: Target): string => url(target).replace(/\/chat\/completions$/, '/responses')

const voyageHosts = /^https:\/\/(?:api\.voyageai\.com|ai\.mongodb\.com)\//

/** Voyage has a word of its own for the length of vectors: https://docs.voyageai.com/reference/embeddings-api */
const asVoyage: Change = (body, { baseUrl }) => {
  if (!voyageHosts.test(baseUrl)) return body
  const renamedBody = renameMember(body, 'dimensions', 'output_dimension')
  return renamedBody['encoding_format'] === 'float' ? withoutMembers(renamedBody, 'encoding_format') : renamedBody
}

const mixesAtVoyage = /^voyage-multimodal/
const textEmbeddings = openAiEmbeddings({ url, shape: composeShape(asVoyage) })
/** Next to the vectors of texts. https://docs.voyageai.com/reference/multimodal-embeddings-api */
const mixedEmbeddings: ModeDescription = {
  dialect: 'voyage-embeddings',
  url: (target) => url(target).replace(/\/v1\/embeddings$/, '/v1/multimodalembeddings'),
  acceptsStreamOptions: false,
}

/** It ranks texts only; the documents are put next to their scores here. https://docs.voyageai.com/reference/reranker-api */
const ranksAtVoyage: Change = (body, { baseUrl }) =>
  voyageHosts.test(baseUrl)
    ? renameMember(
        writePlainRerank(body, () => {}),
        'top_n',
        'top_k',
      )
    : writeCommonRerank(body)

/** Any server that speaks OpenAI's wire at an address of its own. */
export const custom = defineProvider({
  type: 8,
  id: 'custom',
  name: { en: 'Custom (OpenAI-compatible)', zh: '自定义渠道' },
  baseUrl: null,
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {
    chat: openAiChat({ url, shape: shapedAtHost(shapeReasoning, chatLimitsAt) }),
    completions: openAiCompletions({ url }),
    embeddings: ({ model }) => (mixesAtVoyage.test(model) ? mixedEmbeddings : textEmbeddings),
    images: openAiImages({ url }),
    'image-edits': openAiImageEdits({ url }),
    'image-variations': openAiImageEdits({ url }),
    moderation: openAiModerations({ url }),
    ...openAiAudio({ url }),
    rerank: rerank({ url, shape: composeShape(ranksAtVoyage) }),
    realtime: openAiRealtime({ url: (target) => socketAddress(url(target)) + sessionQuery(target) }),
  },
  namedResponses: openAiResponses({ url: responsesUrl, shape: shapeResponses }),
  tasks: { video: openAiVideos((baseUrl) => `${rootOf(baseUrl)}/v1`) },
  fields: [
    baseUrlField('https://api.example.com/v1/chat/completions', {
      label: { en: 'Complete URL', zh: '完整的接口地址' },
      hint: {
        en: 'The whole address of the call; {model} in it is replaced by the model',
        zh: '调用的完整地址，其中的 {model} 会替换为模型名称',
      },
    }),
  ],
  models: openAiModels,
  modelList: openAiModelList(),
  balance: openAiBalance(rootOf),
})
