import type { ThinkingForm } from '@tollgate/dialects'

import { hasPartsOrOne, keyFormat } from '../fields'
import { modelListAt } from '../model-list'
import { openAiCompletions, openAiEmbeddings, plainRerank, thinkingChat, wholeOpenAiImages } from '../modes'
import { defineProvider, type Target } from '../provider'
import { developerAsSystem } from '../refused'
import { type Change, composeShape, dropBase64Encoding } from '../shape'
import { openAiPath } from '../urls'
import { baiduErrors } from './baidu-errors'

/** An application's id may follow the key: https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb */
function auth({ key }: Pick<Target, 'key'>): Record<string, string> {
  const [secret = '', application = ''] = key.split('|')
  return { authorization: `Bearer ${secret}`, ...(application === '' ? {} : { appid: application }) }
}

/** Its plans have addresses of their own below the version, as `…/v2/coding`. https://cloud.baidu.com/doc/qianfan/s/rmse4vxp8 */
function url(target: Target): string {
  return openAiPath(/\/v2\/./.test(target.baseUrl) ? '' : '/v2', '/v2')(target)
}

const searchSuffix = '-search'

/** Without the progress of the search, which would come as chunks that no client expects. */
const webSearch = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }

const searching: Change = (body, { model }) =>
  model.endsWith(searchSuffix) ? { web_search: webSearch, ...body, model: model.slice(0, -searchSuffix.length) } : body

/** https://cloud.baidu.com/doc/qianfan-api/s/5mwsodmx3 */
function thinkingForm(model: string): ThinkingForm | null {
  if (/^(?:glm-5\.[3-9]|ernie-5\.5-flash)/.test(model)) return { switch: null }
  if (/^(?:deepseek-v(?:3\.[12]|[4-9])|kimi-k2\.[56]|glm-(?:4\.7|5(?:\.[12])?$)|ernie-light-dt)/.test(model))
    return { switch: 'thinking' }
  const isHybrid = /^(?:qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$|ernie-4\.5-(?:turbo-vl|vl-28b)|ernie-5\.0-thinking)/.test(
    model,
  )
  return isHybrid ? { switch: 'enable_thinking' } : null
}

/** Baidu's second Qianfan API: https://cloud.baidu.com/doc/qianfan-api */
export const qianfan = defineProvider({
  type: 46,
  id: 'qianfan',
  name: { en: 'Baidu Qianfan V2', zh: '百度千帆 V2' },
  baseUrl: 'https://qianfan.baidubce.com',
  auth,
  billsAbandoned: 'all',
  key: {
    ...keyFormat('bce-v3/…'),
    hint: {
      en: 'API key, or key|appid; separate several keys with commas',
      zh: 'API 密钥，或 密钥|appid；多个密钥以英文逗号分隔',
    },
    isKey: hasPartsOrOne(2),
  },
  modes: {
    chat: thinkingChat(thinkingForm, {
      url,
      changes: [developerAsSystem, searching],
      errorStatuses: baiduErrors,
    }),
    completions: openAiCompletions({ url, errorStatuses: baiduErrors }),
    embeddings: openAiEmbeddings({ url, shape: composeShape(dropBase64Encoding), errorStatuses: baiduErrors }),
    images: wholeOpenAiImages({ url, errorStatuses: baiduErrors }),
    rerank: plainRerank({ url, errorStatuses: baiduErrors }),
  },
  fields: [],
  models: [
    'ernie-5.0',
    'ernie-x1.1',
    'ernie-x1-turbo-32k',
    'ernie-x1-32k',
    'ernie-4.5-turbo-128k',
    'ernie-4.5-turbo-32k',
    'ernie-4.5-turbo-vl-32k',
    'ernie-4.5-8k-preview',
    'ernie-4.0-turbo-8k',
    'ernie-4.0-turbo-128k',
    'ernie-4.0-8k',
    'ernie-3.5-8k',
    'ernie-3.5-128k',
    'ernie-speed-8k',
    'ernie-speed-128k',
    'ernie-speed-pro-128k',
    'ernie-lite-8k',
    'ernie-lite-pro-128k',
    'ernie-tiny-8k',
    'deepseek-v3',
    'deepseek-r1',
    'bge-large-zh',
    'tao-8k',
  ],
  modelList: modelListAt(({ baseUrl }) => `${baseUrl}/v2/models`, auth),
})
