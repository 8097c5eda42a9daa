import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat, openAiEmbeddings, wholeOpenAiImages } from '../modes'
import { defineProvider } from '../provider'
import { type Change, shaped, withoutMembers } from '../shape'
import { openAiPath } from '../urls'

const models = openAiPath('/api/v3')
const bots = openAiPath('/api/v3/bots')

/** Several images are a series. https://www.volcengine.com/docs/82379/1541523 */
const severalImages: Change = (body) => {
  const { n: count } = body
  const single = withoutMembers(body, 'n')
  if (typeof count !== 'number' || count <= 1) return single
  return {
    ...single,
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: count },
  }
}

/** https://www.volcengine.com/docs/82379/1298454; an application, named `bot-…`, answers under a path of its own. */
export const volcEngine = defineProvider({
  type: 45,
  id: 'volcengine',
  name: { en: 'VolcEngine Ark', zh: '火山引擎（豆包）' },
  baseUrl: 'https://ark.cn-beijing.volces.com',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('01234567-89ab-cdef-…'),
  modes: {
    chat: openAiChat({ url: (target) => (target.model.startsWith('bot') ? bots(target) : models(target)) }),
    embeddings: openAiEmbeddings({ url: models }),
    images: wholeOpenAiImages({ url: models, shape: shaped(severalImages) }),
  },
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
  ],
  modelList: openAiModelList('/api/v3/models'),
})
