import {
  dashScopeFusesAll,
  gatheredStream,
  isDashScopeSynthesizer,
  isObject,
  type JsonObject,
  type ThinkingForm,
} from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import { acceptJson, openAiCompletions, openAiEmbeddings, ownImages, plainRerank, thinkingChat } from '../modes'
import { defineProvider, type ModeByTarget, type ModeDescription, type Target, type ModeTarget } from '../provider'
import { socketAddress } from '../realtime'
import { developerAsSystem } from '../refused'
import { type Change, composeShape, dropBase64Encoding, withMember } from '../shape'
import { openAiPath } from '../urls'
import { joinedSpeechEvents } from './joined-speech'
import { dashScopeVideos } from './dashscope-videos'
import { alwaysThinkingGlm } from './open-models'

const prefix = '/compatible-mode/v1'
/** https://help.aliyun.com/zh/model-studio/text-rerank-api */
const rankPrefix = '/compatible-api/v1'
const internetSuffix = '-internet'

/** DashScope refuses the ends of the range, which other vendors take. */
const withinRange: Change = (body) => {
  const { top_p: topP } = body
  if (typeof topP !== 'number') return body
  return topP >= 1 ? withMember(body, 'top_p', 0.999) : topP <= 0 ? withMember(body, 'top_p', 0.001) : body
}

const searching: Change = (body, { model }) =>
  model.endsWith(internetSuffix)
    ? withMember(withMember(body, 'model', model.slice(0, -internetSuffix.length)), 'enable_search', true)
    : body

/** The most of any model; a model's own limit is lower and counts. */
const budget = { min: 1, max: 81_920 }
const switched: ThinkingForm = { switch: 'enable_thinking', budget }
const always: ThinkingForm = { switch: null, budget }

const alwaysThink = /^qwq|^qvq|-thinking|^deepseek-r1|^kimi-k2\.7-code|^qwen3\.\d+-max-preview/
/** Those that can do both. Coders, instructed ones and those before the third generation never think. */
const hybrid =
  /^(?:qwen-(?:plus|turbo|flash)|qwen3-(?:max|vl-(?:plus|flash)|omni-flash|\d)|qwen3\.|qwen[4-9]|deepseek-v(?:3\.[12]|[4-9])|glm-(?:4\.[5-9]|[5-9])|kimi-k(?:2\.[56]|[3-9]))/
const neverThink = /-instruct|coder|-mt|-realtime|-character|-ocr/
/** Open models think unless told not to, and refuse to do so in one piece. */
const openHybrid = /^qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$/

/** https://help.aliyun.com/zh/model-studio/deep-thinking */
function thinkingForm(model: string): ThinkingForm | null {
  if (alwaysThink.test(model) || alwaysThinkingGlm.test(model)) return always
  return hybrid.test(model) && !neverThink.test(model) ? switched : null
}

/**
 * Most models think only in streams. A call in one piece is streamed where it asks for thinking, and otherwise says that nothing is to be
 * thought where the model would.
 */
const thoughtInStreams: Change = (body, target) => {
  if (target.stream || body['stream'] === true) return body
  if (thinks(body, target)) return { ...body, stream: true, stream_options: { include_usage: true } }
  return openHybrid.test(target.model) ? withMember(body, 'enable_thinking', false) : body
}

const thinks = (body: JsonObject, { model }: Pick<Target, 'model'>): boolean =>
  alwaysThink.test(model) || alwaysThinkingGlm.test(model) || body['enable_thinking'] === true

const headers = ({ stream, other }: Target): Record<string, string> => ({
  ...(stream ? { 'x-dashscope-sse': 'enable' } : {}),
  ...(other === '' ? {} : { 'x-dashscope-plugin': other }),
})

/** The codes of the native form of a failure, which may come with status 200: https://help.aliyun.com/zh/model-studio/error-code */
const errorStatuses = {
  'InvalidApiKey*': 401,
  'invalid_api_key*': 401,
  'Throttling*': 429,
  'LimitRequests*': 429,
  'limit_requests*': 429,
  'insufficient_quota*': 429,
  'AccessDenied*': 403,
  'Model.AccessDenied*': 403,
  'Arrearage*': 403,
  'ModelNotFound*': 404,
  'model_not_found*': 404,
  'Invalid*': 400,
  'DataInspection*': 400,
  'data_inspection*': 400,
  'BadRequest*': 400,
} as const

const seesImages = /-vl-embedding|^tongyi-embedding-vision|^multimodal-embedding/
const textEmbeddings = openAiEmbeddings({
  url: openAiPath(prefix),
  shape: composeShape(dropBase64Encoding),
  errorStatuses,
})
/** https://help.aliyun.com/zh/model-studio/multimodal-embedding-api-reference */
const mixedEmbeddings: ModeDescription = {
  dialect: 'dashscope-embeddings',
  url: ({ baseUrl }) => `${baseUrl}/api/v1/services/embeddings/multimodal-embedding/multimodal-embedding`,
  acceptsStreamOptions: false,
  errorStatuses,
}
const oneMixedEmbedding: ModeDescription = { ...mixedEmbeddings, maxInputs: 1 }

const isMixed = (item: unknown): boolean =>
  isObject(item) && Array.isArray(item['content']) && item['content'].length > 1

function embeddings({ model, body }: ModeTarget): ModeDescription {
  if (!seesImages.test(model)) return textEmbeddings
  const inputs = Array.isArray(body?.['input']) ? body['input'] : []
  return dashScopeFusesAll(model, inputs.some(isMixed)) ? oneMixedEmbedding : mixedEmbeddings
}

/** https://help.aliyun.com/zh/model-studio/qwen-image-api, …/qwen-image-edit-api, …/wan-image-generation-api-reference */
const maxImages = (model: string): number =>
  model.startsWith('wan') ? 4 : /^qwen-image-(?:\d|edit-)/.test(model) ? 6 : 1

const images: ModeByTarget = ({ model }) =>
  ownImages('dashscope-images', {
    url: ({ baseUrl }) => `${baseUrl}/api/v1/services/aigc/multimodal-generation/generation`,
    maxImages: maxImages(model),
    errorStatuses,
  })

/** https://www.alibabacloud.com/help/en/model-studio/realtime */
const realtime: ModeDescription = {
  dialect: 'dashscope-realtime',
  url: ({ baseUrl, model }) => `${socketAddress(baseUrl)}/api-ws/v1/realtime?model=${encodeURIComponent(model)}`,
  acceptsStreamOptions: false,
}

/** Always in pieces: in one piece the vendor gives an address instead of the audio. */
const speech: ModeDescription = {
  dialect: 'dashscope-speech',
  url: ({ baseUrl, model }) =>
    `${baseUrl}/api/v1/services/${isDashScopeSynthesizer(model) ? 'audio/tts/SpeechSynthesizer' : 'aigc/multimodal-generation/generation'}`,
  headers: () => ({ 'x-dashscope-sse': 'enable', accept: 'text/event-stream' }),
  collect: joinedSpeechEvents,
  acceptsStreamOptions: false,
  errorStatuses,
}

/** Alibaba Cloud Model Studio: https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope */
export const dashScope = defineProvider({
  type: 17,
  id: 'dashscope',
  name: { en: 'Alibaba DashScope', zh: '阿里通义千问' },
  baseUrl: 'https://dashscope.aliyuncs.com',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {
    chat: thinkingChat(thinkingForm, {
      url: openAiPath(prefix),
      headers,
      changes: [developerAsSystem, searching, withinRange, thoughtInStreams],
      collect: gatheredStream('openai-chat'),
      errorStatuses,
    }),
    completions: openAiCompletions({
      url: openAiPath(prefix),
      headers,
      shape: composeShape(withinRange),
      errorStatuses,
    }),
    embeddings,
    images,
    'image-edits': images,
    realtime,
    speech,
    transcription: {
      dialect: 'dashscope-transcriptions',
      url: openAiPath(prefix, prefix, 'chat/completions'),
      headers: acceptJson,
      acceptsStreamOptions: false,
      errorStatuses,
    },
    rerank: plainRerank({ url: openAiPath(rankPrefix, rankPrefix, 'reranks'), errorStatuses }),
  },
  tasks: { video: dashScopeVideos(errorStatuses) },
  fields: [
    regionalBaseUrlField('https://dashscope.aliyuncs.com', 'https://dashscope-intl.aliyuncs.com'),
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Plugin', zh: '插件参数' },
      hint: { en: 'Sent as X-DashScope-Plugin; empty: not sent', zh: '以 X-DashScope-Plugin 请求头发送，留空则不发送' },
    },
  ],
  models: [
    'qwen3-max',
    'qwen-max',
    'qwen-plus',
    'qwen-flash',
    'qwen-turbo',
    'qwen-long',
    'qwen3-coder-plus',
    'qwen3-coder-flash',
    'qwen3-235b-a22b',
    'qwen3-32b',
    'qwen3-vl-plus',
    'qwen-vl-max',
    'qwen-vl-plus',
    'qwen3-omni-flash-realtime',
    'qwq-plus',
    'qwq-32b',
    'deepseek-v3.2',
    'deepseek-r1',
    'text-embedding-v4',
    'text-embedding-v3',
    'text-embedding-v2',
    'text-embedding-v1',
    'qwen3-rerank',
    'qwen-image-plus',
    'qwen-image-edit-plus',
    'qwen3-tts-flash',
    'qwen3-tts-instruct-flash',
    'cosyvoice-v3-flash',
    'qwen3-asr-flash',
    'wan3.0-video',
    'wan3.0-video-prime',
    'wan2.7-t2v',
    'wan2.7-i2v',
    'wan2.7-r2v',
    'happyhorse-1.1-t2v',
    'happyhorse-1.1-i2v',
    'happyhorse-1.1-r2v',
  ],
  modelList: openAiModelList(`${prefix}/models`),
})
