import type { JsonObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat, openAiCompletions, openAiEmbeddings } from '../modes'
import { type AnswerError, defineProvider, type Target } from '../provider'
import { type Change, shaped, withMember } from '../shape'
import { openAiPath } from '../urls'

const prefix = '/compatible-mode/v1'
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

const headers = ({ stream, other }: Target): Record<string, string> => ({
  ...(stream ? { 'x-dashscope-sse': 'enable' } : {}),
  ...(other === '' ? {} : { 'x-dashscope-plugin': other }),
})

/** The native form of a failure, which may come with status 200: https://help.aliyun.com/zh/model-studio/error-code */
function dashScopeError({ code, message, choices, data }: JsonObject): AnswerError | undefined {
  if (typeof code !== 'string' || code === '' || Array.isArray(choices) || Array.isArray(data)) return undefined
  return { status: statusOf(code), code, message: typeof message === 'string' && message !== '' ? message : code }
}

function statusOf(code: string): number {
  if (/^(?:InvalidApiKey|invalid_api_key)/.test(code)) return 401
  if (/^(?:Throttling|LimitRequests|limit_requests|insufficient_quota)/.test(code)) return 429
  if (/^(?:AccessDenied|Model\.AccessDenied|Arrearage)/.test(code)) return 403
  if (/^(?:ModelNotFound|model_not_found)/.test(code)) return 404
  return /^(?:Invalid|DataInspection|data_inspection|BadRequest)/.test(code) ? 400 : 500
}

/** Alibaba Cloud Model Studio: https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope */
export const dashScope = defineProvider({
  type: 17,
  id: 'dashscope',
  name: { en: 'Alibaba DashScope', zh: '阿里通义千问' },
  baseUrl: 'https://dashscope.aliyuncs.com',
  auth: bearer(),
  key: keyFormat('sk-…'),
  modes: {
    chat: openAiChat({
      url: openAiPath(prefix),
      headers,
      shape: shaped(searching, withinRange),
      errorInAnswer: dashScopeError,
    }),
    completions: openAiCompletions({
      url: openAiPath(prefix),
      headers,
      shape: shaped(withinRange),
      errorInAnswer: dashScopeError,
    }),
    embeddings: openAiEmbeddings({ url: openAiPath(prefix), errorInAnswer: dashScopeError }),
  },
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
    'qwq-plus',
    'qwq-32b',
    'deepseek-v3.2',
    'deepseek-r1',
    'text-embedding-v4',
    'text-embedding-v3',
    'text-embedding-v2',
    'text-embedding-v1',
  ],
  modelList: openAiModelList(`${prefix}/models`),
})
