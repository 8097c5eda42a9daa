import type { DialectId, ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { baseUrlField, hasPartsOrOne } from '../fields'
import { modelListAt } from '../model-list'
import { openAiEmbeddings, thinkingChat } from '../modes'
import { defineProvider, type ErrorStatuses, type ModeDescription, type Target } from '../provider'
import { developerAsSystem } from '../refused'
import { openAiPath } from '../urls'
import { alwaysThinkingGlm } from './open-models'
import { isSigningKey, signTencent } from './tencent-auth'

const ownBase = 'https://hunyuan.tencentcloudapi.com'
/** The platform of Hunyuan alone was closed in September 2026. https://cloud.tencent.com/document/product/1823/131382 */
const compatibleBase = 'https://tokenhub.tencentmaas.com'

/** The codes of errors, all of which come with status 200: https://cloud.tencent.com/document/api/1729/101842 */
const errorStatuses: ErrorStatuses = {
  'AuthFailure*': 401,
  'UnauthorizedOperation*': 403,
  'RequestLimitExceeded*': 429,
  'LimitExceeded*': 429,
  'InvalidParameter*': 400,
  InvalidAction: 400,
  MissingParameter: 400,
  UnknownParameter: 400,
  'UnsupportedOperation*': 400,
  'OperationDenied*': 400,
  'FailedOperation.FreeResourcePackExhausted': 402,
  'FailedOperation.ResourcePackExhausted': 402,
  'FailedOperation.ServiceStop*': 402,
  'FailedOperation.ServiceNotActivated': 403,
  'FailedOperation.UserUnAuthError': 403,
  'FailedOperation.EngineServerLimitExceeded': 429,
  'FailedOperation.EngineRequestTimeout': 504,
  'FailedOperation.*': 502,
  'ResourceInsufficient*': 402,
  'ResourceUnavailable*': 503,
  'InternalError*': 500,
}

/** Every call goes to the root; a header says which it is. */
const own = (dialect: DialectId, action: string): ModeDescription => ({
  dialect,
  url: ({ baseUrl }) => `${baseUrl}/`,
  headers: () => ({ 'x-tc-action': action, 'x-tc-version': '2023-09-01' }),
  acceptsStreamOptions: false,
  errorStatuses,
})

const ownChat = own('hunyuan-chat', 'ChatCompletions')
const ownEmbeddings = own('hunyuan-embeddings', 'GetEmbedding')

/** Where a channel names no address, the one of its kind of key. */
const compatibleAt = ({ baseUrl }: Pick<Target, 'baseUrl'>): string => (baseUrl === ownBase ? compatibleBase : baseUrl)

const compatibleUrl = (target: Target): string => openAiPath()({ ...target, baseUrl: compatibleAt(target) })

/** https://cloud.tencent.com/document/product/1823/131208; the old platform had a switch of its own. */
function thinkingForm(model: string): ThinkingForm | null {
  if (model.startsWith('hunyuan-a13b')) return { switch: 'enable_thinking' }
  if (/^(?:minimax-m2|hunyuan-2\.0-thinking)/.test(model) || alwaysThinkingGlm.test(model)) return { switch: null }
  return /^(?:hy\d|deepseek-v(?:3\.[12]|[4-9])|glm-[5-9]|kimi-k2\.[56])/.test(model) ? { switch: 'thinking' } : null
}

/** https://cloud.tencent.com/document/product/1823/130078 */
const compatibleChat = thinkingChat(thinkingForm, { url: compatibleUrl, changes: [developerAsSystem] })
const compatibleEmbeddings = openAiEmbeddings({ url: compatibleUrl })

/** Hunyuan, by Tencent Cloud's own API for keys that sign, else by the one that is compatible with OpenAI's. */
export const tencent = defineProvider({
  type: 23,
  id: 'tencent',
  name: { en: 'Tencent Hunyuan', zh: '腾讯混元（TokenHub）' },
  baseUrl: ownBase,
  auth: (target) => (isSigningKey(target) ? {} : bearer()(target)),
  authorize: signTencent,
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AppId|SecretId|SecretKey, or an API key such as sk-…; separate several keys with commas',
      zh: '按 AppId|SecretId|SecretKey 的格式填写，或填写 sk-… 形式的 API Key；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: hasPartsOrOne(3),
  },
  modes: {
    chat: (target) => (isSigningKey(target) ? ownChat : compatibleChat),
    embeddings: (target) => (isSigningKey(target) ? ownEmbeddings : compatibleEmbeddings),
  },
  fields: [
    baseUrlField(compatibleBase, {
      hint: {
        en: `Empty: by the kind of key. TokenHub: ${compatibleBase}, Singapore: https://tokenhub-intl.tencentcloudmaas.com`,
        zh: `留空则按密钥类型选择。TokenHub：${compatibleBase}；新加坡：https://tokenhub-intl.tencentcloudmaas.com`,
      },
      required: false,
    }),
  ],
  models: [
    'hy4',
    'hy3-preview',
    'deepseek-v4-pro',
    'deepseek-v4-flash',
    'glm-5.1',
    'kimi-k2.6',
    'hunyuan-t1-latest',
    'hunyuan-turbos-latest',
    'hunyuan-turbo-latest',
    'hunyuan-large',
    'hunyuan-large-longcontext',
    'hunyuan-standard',
    'hunyuan-standard-256K',
    'hunyuan-lite',
    'hunyuan-pro',
    'hunyuan-code',
    'hunyuan-functioncall',
    'hunyuan-role',
    'hunyuan-vision',
    'hunyuan-embedding',
  ],
  modelList: modelListAt((target) => `${compatibleAt(target)}/v1/models`),
})
