import { isObject, type Mode, type ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { baseUrlField, hasPartsOrOne, keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import { acceptJson, openAiEmbeddings, openAiImages, ownImages, thinkingChat } from '../modes'
import { defineProvider, type ModeByTarget, type ModeDescription, type ModeTarget, type Target } from '../provider'
import { developerAsSystem } from '../refused'
import { type Change, composeShape, withoutMembers } from '../shape'
import { openAiPath } from '../urls'
import { joinedSpeechLines } from './joined-speech'
import { alwaysThinkingGlm } from './open-models'
import { SeedreamUnframer } from './seedream-unframer'
import { seedanceVideos } from './seedance-videos'

const models = openAiPath('/api/v3')
const speechHost = 'https://openspeech.bytedance.com'
const bots = openAiPath('/api/v3/bots')
/** With images too. */
const drawing = openAiPath('/api/v3', '/api/v3', 'images/generations')

const efforts = { minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const

/** https://www.volcengine.com/docs/82379/1449737; efforts since the models of October 2025. An endpoint's name tells no model. */
function thinkingForm(model: string): ThinkingForm | null {
  if (/^doubao-seed-(?:1-6.*-251015|1-[89]|[2-9]|evolving)/.test(model)) return { switch: 'thinking', efforts }
  if (alwaysThinkingGlm.test(model)) return { switch: null }
  const hasSwitch = /^(?:doubao-(?:seed|1-5-thinking)|deepseek-v(?:3-[12]|[4-9])|glm-[4-9]|kimi-k2-[56]|ep-)/.test(
    model,
  )
  return hasSwitch ? { switch: 'thinking' } : null
}

/** https://www.volcengine.com/docs/82379/1541523 */
const imageMembers: Change = (body) => withoutMembers(body, 'n', 'partial_images')

/** A series, of which the model decides how many images it has, is one call. */
const maxImages = ({ body = {} }: Pick<ModeTarget, 'body'>) =>
  body['sequential_image_generation'] === 'auto' ? {} : { maxImages: 1 }

const images: ModeByTarget = (target) =>
  openAiImages({
    url: models,
    shape: composeShape(imageMembers),
    createUnframer: () => new SeedreamUnframer(),
    ...maxImages(target),
  })

/** The name of an endpoint tells no model, but a picture is for one that sees. */
const seesImages = ({ model, body }: ModeTarget): boolean =>
  model.startsWith('doubao-embedding-vision') || (Array.isArray(body?.['input']) && body['input'].some(isObject))
const textEmbeddings = openAiEmbeddings({ url: models })
/** https://www.volcengine.com/docs/82379/1409290 */
const mixedEmbeddings: ModeDescription = {
  dialect: 'volcengine-embeddings',
  url: openAiPath('/api/v3', '/api/v3', 'embeddings/multimodal'),
  acceptsStreamOptions: false,
  maxInputs: 1,
}

const speechStatuses = { 40402003: 400, '40000*': 400, '4500*': 400, '55*': 502 } as const

/** Doubao's speech has a host and keys of its own. */
const atSpeechHost =
  (path: string) =>
  ({ baseUrl }: Pick<Target, 'baseUrl'>) =>
    `${baseUrl.endsWith('.volces.com') ? speechHost : baseUrl}/api/v3/${path}`

/** One key, or an application and its token. The model names the resource. */
function speechHeaders({ key, model }: Pick<Target, 'key' | 'model'>, applicationHeader: string) {
  const [application = '', token] = key.split('|')
  return {
    'x-api-resource-id': model,
    ...(token === undefined
      ? { 'x-api-key': key }
      : { [applicationHeader]: application, 'x-api-access-key': token.trim() }),
  }
}

/** https://www.volcengine.com/docs/6561/1598757 */
const speech: ModeDescription = {
  dialect: 'volcengine-speech',
  url: atSpeechHost('tts/unidirectional'),
  headers: (target) => speechHeaders(target, 'x-api-app-id'),
  collect: joinedSpeechLines,
  acceptsStreamOptions: false,
  errorStatuses: speechStatuses,
}

/** https://www.volcengine.com/docs/6561/1631584 */
const transcription: ModeDescription = {
  dialect: 'volcengine-transcriptions',
  url: atSpeechHost('auc/bigmodel/recognize/flash'),
  headers: (target) => ({ ...acceptJson(), ...speechHeaders(target, 'x-api-app-key'), 'x-api-sequence': '-1' }),
  acceptsStreamOptions: false,
  errorStatuses: speechStatuses,
}

const isSpoken = (mode: Mode): boolean => mode === 'speech' || mode === 'transcription'

/** https://www.volcengine.com/docs/82379/1298454; an application, named `bot-…`, answers under a path of its own. */
export const volcEngine = defineProvider({
  type: 45,
  id: 'volcengine',
  name: { en: 'VolcEngine Ark', zh: '火山引擎（豆包）' },
  baseUrl: 'https://ark.cn-beijing.volces.com',
  auth: (target) => (isSpoken(target.mode) ? {} : bearer()(target)),
  billsAbandoned: 'all',
  key: {
    ...keyFormat('01234567-89ab-cdef-…'),
    hint: {
      en: 'API key, as 01234567-89ab-cdef-…, or for speech APPID|AccessToken; separate several keys with commas',
      zh: 'API 密钥，如 01234567-89ab-cdef-…，语音也可用 APPID|AccessToken；多个密钥以英文逗号分隔',
    },
    isKey: hasPartsOrOne(2),
  },
  modes: {
    chat: thinkingChat(thinkingForm, {
      url: (target) => (target.model.startsWith('bot') ? bots(target) : models(target)),
      changes: [developerAsSystem],
    }),
    embeddings: (target) => (seesImages(target) ? mixedEmbeddings : textEmbeddings),
    images,
    'image-edits': ownImages('seedream-images', { url: drawing, maxImages: 1 }),
    speech,
    transcription,
  },
  tasks: { video: seedanceVideos },
  fields: [
    baseUrlField('https://ark.cn-beijing.volces.com', {
      hint: {
        en: 'Empty: Beijing. Map model names to your endpoints (ep-…) in the model mapping where you use endpoints',
        zh: '留空则使用北京地域。使用推理接入点时，请在模型重定向中将模型名称映射为接入点 ID（ep-…）',
      },
      required: false,
    }),
  ],
  models: [
    'doubao-seedance-2-5-260628',
    'doubao-seedance-2-0-260128',
    'doubao-seedance-2-0-fast-260128',
    'doubao-seedance-2-0-mini-260615',
    'doubao-seed-1-8-251228',
    'doubao-seed-1-6-251015',
    'doubao-seed-1-6-flash-250828',
    'doubao-seed-1-6-vision-250815',
    'doubao-1-5-pro-32k-250115',
    'doubao-1-5-lite-32k-250115',
    'deepseek-v4-pro-ga-260813',
    'deepseek-v4-flash-ga-260731',
    'Doubao-pro-256k',
    'Doubao-pro-128k',
    'Doubao-pro-32k',
    'Doubao-pro-4k',
    'Doubao-lite-128k',
    'Doubao-lite-32k',
    'Doubao-lite-4k',
    'Doubao-embedding',
    'doubao-seedream-4-5-251128',
    'doubao-seedream-4-0-250828',
    'seed-tts-2.0',
    'volc.bigasr.auc_turbo',
  ],
  modelList: openAiModelList('/api/v3/models'),
})
