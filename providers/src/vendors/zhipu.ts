import { isObject, openAiVoices, type JsonObject, type ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { modelListAt } from '../model-list'
import {
  openAiEmbeddings,
  plainSpeech,
  plainTranscriptions,
  rerank,
  thinkingChat,
  wholeOpenAiImages,
  withoutUnknown,
} from '../modes'
import { type AuthTools, defineProvider, type ModeDescription, type Target } from '../provider'
import { developerAsSystem } from '../refused'
import {
  type Change,
  mapObjects,
  onlyMembers,
  refusing,
  renameMember,
  composeShape,
  dropBase64Encoding,
  withMember,
  withoutMembers,
} from '../shape'
import { nameInPath, taskOf } from '../urls'
import { alwaysThinkingGlm } from './open-models'
import { TokenCache } from './token-cache'
import { hs256Token } from './signed-token'
import { ZhipuUnframer } from './zhipu-unframer'

const imageNames: ReadonlySet<string> = new Set(['model', 'prompt', 'quality', 'size', 'user_id', 'watermark_enabled'])

/** One image per call. https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
/** Several images are drawn by several calls. */
const imageMembers: Change = (body, _target, warn) =>
  onlyMembers(withoutMembers(renameMember(body, 'user', 'user_id'), 'n'), imageNames, warn)

const speechFormats: ReadonlySet<unknown> = new Set(['wav', 'pcm'])
const [slowest, fastest] = [0.5, 2]

/** https://docs.bigmodel.cn/api-reference/模型-api/文本转语音 */
const speechMembers: Change = (body, _target, warn) => {
  const { voice = '', speed, response_format: format } = body
  const isKnown = speechFormats.has(format)
  if (!isKnown) warn(`the format ${String(format).slice(0, 32)}`)
  const plain = refusing(body, ['instructions'], warn)
  const formed = isKnown ? plain : withMember(plain, 'response_format', 'wav')
  const paced =
    typeof speed === 'number' ? withMember(formed, 'speed', Math.min(Math.max(speed, slowest), fastest)) : formed
  return openAiVoices.has(String(voice)) ? withMember(paced, 'voice', 'tongtong') : paced
}

const lifetimeMs = 24 * 60 * 60 * 1000
const reserveMs = 10 * 60 * 1000
const tokens = new TokenCache()

/** The coding plan has an address of its own, `…/api/coding`. */
const apiAt = ({ baseUrl }: Pick<Target, 'baseUrl'>): string =>
  `${baseUrl}${baseUrl.endsWith('/api/coding') ? '' : '/api'}/paas`

const v4 = (target: Target): string => `${apiAt(target)}/v4/${taskOf(target.mode)}`

/** Values at the end of their range are refused. */
const withinRange: Change = (body) => {
  const { top_p: topP, temperature } = body
  const cut = typeof topP === 'number' && topP >= 1 ? withMember(body, 'top_p', 0.99) : body
  return typeof temperature === 'number' && temperature > 1 ? withMember(cut, 'temperature', 1) : cut
}

const efforts = { minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'max', max: 'max' } as const
const threeEfforts = { minimal: 'low', low: 'low', medium: 'high', high: 'high', xhigh: 'max', max: 'max' } as const

/**
 * https://docs.bigmodel.cn/cn/guide/capabilities/thinking; efforts since GLM-5.2, which takes no other word for the most than `max`. GLM-5.3
 * always thinks, and has three: https://openrouter.ai/z-ai/glm-5.3/api
 */
function thinkingForm(model: string): ThinkingForm | null {
  if (alwaysThinkingGlm.test(model)) return { switch: null, efforts: threeEfforts }
  if (!/^glm-(?:4\.[5-9]|[5-9])/.test(model)) return null
  return /^glm-(?:5\.[2-9]|[6-9])/.test(model) ? { switch: 'thinking', efforts } : { switch: 'thinking' }
}

/** Else the arguments of a call come in one piece, after silence for as long as they are written. https://docs.bigmodel.cn/cn/guide/capabilities/stream-tool */
const streamedCalls: Change = (body, { model }) =>
  body['stream'] === true &&
  Array.isArray(body['tools']) &&
  !('tool_stream' in body) &&
  /^glm-(?:4\.[6-9]|[5-9])/.test(model)
    ? withMember(body, 'tool_stream', true)
    : body

/** Pictures come as mere base64. https://docs.bigmodel.cn/api-reference */
const plainImages: Change = (body) =>
  mapObjects(body, 'messages', (message) => mapObjects(message, 'content', plainImage))

function plainImage(part: JsonObject): JsonObject {
  const { image_url: image } = part
  if (!isObject(image) || typeof image['url'] !== 'string') return part
  const url = image['url'].replace(/^data:[^,]*;base64,/, '')
  return url === image['url'] ? part : { ...part, image_url: { ...image, url } }
}

/** https://docs.bigmodel.cn/cn/api/api-code */
const errorStatuses = {
  1000: 401,
  1001: 401,
  1002: 401,
  1003: 401,
  1004: 401,
  1005: 401,
  1100: 401,
  1110: 403,
  1111: 403,
  1112: 403,
  1113: 402,
  1120: 403,
  1121: 403,
  1200: 500,
  1210: 400,
  1211: 404,
  1212: 400,
  1213: 400,
  1214: 400,
  1215: 400,
  1220: 403,
  1221: 404,
  1222: 404,
  1230: 500,
  1231: 400,
  1234: 503,
  1261: 400,
  1300: 403,
  1301: 400,
  1302: 429,
  1303: 429,
  1304: 429,
  1305: 429,
  1308: 429,
  1309: 403,
  1310: 429,
  1311: 404,
  1312: 429,
  1313: 429,
} as const

/** The models before GLM-4: https://github.com/MetaGLM/zhipuai-sdk-python */
const third: ModeDescription = {
  dialect: 'zhipu-chat',
  url: (target) =>
    `${apiAt(target)}/v3/model-api/${nameInPath(target.model)}/${target.stream ? 'sse-invoke' : 'invoke'}`,
  createUnframer: () => new ZhipuUnframer(),
  acceptsStreamOptions: false,
  errorStatuses,
}

/** The usage stands in the last chunk unasked. */
const fourth = thinkingChat(thinkingForm, {
  url: v4,
  changes: [
    developerAsSystem,
    (body) => renameMember(body, 'max_completion_tokens', 'max_tokens'),
    withinRange,
    plainImages,
    streamedCalls,
  ],
  acceptsStreamOptions: false,
  errorStatuses,
})

/**
 * A token that the key signs, used until shortly before it ends. A key without an id is sent as it is.
 * https://docs.bigmodel.cn/cn/guide/develop/http/introduction
 */
async function zhipuToken(key: string, tools: AuthTools): Promise<string> {
  const [id = '', secret, ...rest] = key.trim().split('.')
  if (!id || !secret || rest.length > 0) return key.trim()
  return await tokens.token([key], tools, async () => {
    const timestamp = tools.now()
    const exp = timestamp + lifetimeMs
    const text = hs256Token({ alg: 'HS256', sign_type: 'SIGN' }, { api_key: id, exp, timestamp }, secret)
    return { text, goodUntil: exp - reserveMs }
  })
}

const isThird = (model: string): boolean => model.startsWith('chatglm_')

/** https://docs.bigmodel.cn */
export const zhipu = defineProvider({
  type: 16,
  id: 'zhipu',
  name: { en: 'Zhipu AI', zh: '智谱 AI' },
  baseUrl: 'https://open.bigmodel.cn',
  auth: () => ({}),
  authorize: async (_request, { key, model }, tools) => {
    const token = await zhipuToken(key, tools)
    return { headers: { authorization: isThird(model) ? token : `Bearer ${token}` } }
  },
  billsAbandoned: 'all',
  key: keyFormat('0123456789abcdef.0123456789abcdef'),
  modes: {
    chat: ({ model }) => (isThird(model) ? third : fourth),
    embeddings: openAiEmbeddings({ url: v4, shape: composeShape(dropBase64Encoding), errorStatuses }),
    images: wholeOpenAiImages({ url: v4, shape: composeShape(imageMembers), maxImages: 1, errorStatuses }),
    rerank: rerank({ url: v4, errorStatuses }),
    speech: plainSpeech({ url: v4, shape: composeShape(speechMembers), errorStatuses }),
    transcription: plainTranscriptions({
      url: v4,
      shape: composeShape(withoutUnknown('language', 'temperature')),
      errorStatuses,
    }),
  },
  fields: [
    baseUrlField('https://open.bigmodel.cn', {
      hint: {
        en: 'Empty: https://open.bigmodel.cn. International: https://api.z.ai. Coding plan: add /api/coding',
        zh: '留空则为 https://open.bigmodel.cn；国际站为 https://api.z.ai；使用编码套餐时在末尾加 /api/coding',
      },
      required: false,
    }),
  ],
  models: [
    'glm-5.3',
    'glm-5.2',
    'glm-5.1',
    'glm-5',
    'glm-5-turbo',
    'glm-4.7',
    'glm-4.7-flash',
    'glm-4.6',
    'glm-4.6v',
    'glm-4.5',
    'glm-4.5-air',
    'glm-4.5-airx',
    'glm-4.5-flash',
    'glm-4.5v',
    'glm-4-plus',
    'glm-4-0520',
    'glm-4-air',
    'glm-4-airx',
    'glm-4-long',
    'glm-4-flash',
    'glm-4-alltools',
    'glm-4',
    'glm-4v-plus',
    'glm-4v',
    'glm-3-turbo',
    'chatglm_turbo',
    'chatglm_pro',
    'chatglm_std',
    'chatglm_lite',
    'embedding-3',
    'embedding-2',
    'cogview-4-250304',
    'cogview-3-flash',
    'glm-tts',
    'glm-asr-2512',
  ],
  modelList: modelListAt((target) => `${apiAt(target)}/v4/models`, bearer()),
})
