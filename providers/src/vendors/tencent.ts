import type { DialectId } from '@tollgate/dialects'

import { bearer } from '../auth'
import { openAiEmbeddings, thinkingChat } from '../modes'
import { defineProvider, type ErrorStatuses, type ModeDescription, type Target } from '../provider'
import { developerAsSystem } from '../refused'
import { openAiPath } from '../urls'
import { isSigningKey, signTencent } from './tencent-auth'

const ownBase = 'https://hunyuan.tencentcloudapi.com'
const compatibleBase = 'https://api.hunyuan.cloud.tencent.com'

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

/** Where a channel names no address, the one of its kind of key. https://cloud.tencent.com/document/product/1729/111007 */
const compatibleUrl = (target: Target): string =>
  openAiPath()({ ...target, baseUrl: target.baseUrl === ownBase ? compatibleBase : target.baseUrl })

/** https://cloud.tencent.com/document/product/1729/111007 */
const compatibleChat = thinkingChat(
  (model) => (/^hunyuan-(?:a13b|2)/.test(model) ? { switch: 'enable_thinking' } : null),
  { url: compatibleUrl, changes: [developerAsSystem] },
)
const compatibleEmbeddings = openAiEmbeddings({ url: compatibleUrl })

/** Hunyuan, by Tencent Cloud's own API for keys that sign, else by the one that is compatible with OpenAI's. */
export const tencent = defineProvider({
  type: 23,
  id: 'tencent',
  name: { en: 'Tencent Hunyuan', zh: '腾讯混元' },
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
  },
  modes: {
    chat: (target) => (isSigningKey(target) ? ownChat : compatibleChat),
    embeddings: (target) => (isSigningKey(target) ? ownEmbeddings : compatibleEmbeddings),
  },
  fields: [],
  models: [
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
})
