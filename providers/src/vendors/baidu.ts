import { writePlainRerank } from '@tollgate/dialects'

import { hasPartsOrOne } from '../fields'
import { openAiEmbeddings, rerank } from '../modes'
import { defineProvider, type Target } from '../provider'
import { type Change, onlyMembers, composeShape, withMember } from '../shape'
import { nameInPath } from '../urls'
import { BaiduTokens } from './baidu-auth'
import { baiduErrors } from './baidu-errors'

/** The last step of a model's address, by its name in lower case, where it is another one. */
const steps: ReadonlyMap<string, string> = new Map([
  ['ernie-4.0', 'completions_pro'],
  ['ernie-4.0-8k', 'completions_pro'],
  ['ernie-bot-4', 'completions_pro'],
  ['ernie-bot', 'completions'],
  ['ernie-3.5-8k', 'completions'],
  ['ernie-bot-8k', 'ernie_bot_8k'],
  ['ernie-bot-turbo', 'eb-instant'],
  ['ernie-lite-8k-0922', 'eb-instant'],
  ['ernie-speed', 'ernie_speed'],
  ['ernie-speed-8k', 'ernie_speed'],
  ['bloomz-7b', 'bloomz_7b1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
  ['bce-reranker-base_v1', 'bce_reranker_base'],
])

const stepOf = (model: string): string => steps.get(model.toLowerCase()) ?? nameInPath(model.toLowerCase())

const at =
  (kind: 'chat' | 'embeddings' | 'reranker') =>
  ({ baseUrl, model }: Target): string =>
    `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${stepOf(model)}`

const embeddingMembers = new Set(['input', 'user_id'])
const rerankMembers = new Set(['query', 'documents', 'top_n', 'user_id'])

/** The input is always a list, and the model stands in the address. */
const wrapInput: Change = (body) =>
  onlyMembers(typeof body['input'] === 'string' ? withMember(body, 'input', [body['input']]) : body, embeddingMembers)

const tokens = new BaiduTokens()

/** Baidu's first Qianfan API: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t; its end: https://cloud.baidu.com/doc/qianfan/s/rmse4vxp8 */
export const baidu = defineProvider({
  type: 15,
  id: 'baidu',
  name: { en: 'Baidu Qianfan V1', zh: '百度文心千帆 V1' },
  baseUrl: 'https://aip.baidubce.com',
  auth: () => ({}),
  authorize: tokens.authorize,
  renew: tokens.renew,
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'APIKey|SecretKey, or an access token; separate several keys with commas. Baidu closed this API on 31 August 2026: use Qianfan V2',
      zh: 'APIKey|SecretKey，或直接填写 access token；多个密钥以英文逗号分隔。百度已于 2026 年 8 月 31 日下线该接口，请改用千帆 V2',
    },
    several: true,
    isKey: hasPartsOrOne(2),
  },
  modes: {
    chat: { dialect: 'baidu-chat', url: at('chat'), acceptsStreamOptions: false, errorStatuses: baiduErrors },
    embeddings: openAiEmbeddings({
      url: at('embeddings'),
      shape: composeShape(wrapInput),
      needsShape: true,
      errorStatuses: baiduErrors,
    }),
    rerank: rerank({
      url: at('reranker'),
      shape: (body) => ({
        body: onlyMembers(
          writePlainRerank(body, () => {}),
          rerankMembers,
        ),
      }),
      needsShape: true,
      errorStatuses: baiduErrors,
    }),
  },
  fields: [],
  models: [
    'ERNIE-4.0-8K',
    'ERNIE-4.0-8K-Latest',
    'ERNIE-4.0-Turbo-8K',
    'ERNIE-3.5-8K',
    'ERNIE-3.5-8K-0205',
    'ERNIE-3.5-8K-1222',
    'ERNIE-3.5-4K-0205',
    'ERNIE-3.5-128K',
    'ERNIE-Speed-8K',
    'ERNIE-Speed-128K',
    'ERNIE-Lite-8K-0922',
    'ERNIE-Lite-8K-0308',
    'ERNIE-Tiny-8K',
    'ERNIE-Bot-4',
    'ERNIE-Bot-8K',
    'ERNIE-Bot',
    'ERNIE-Bot-turbo',
    'BLOOMZ-7B',
    'Embedding-V1',
    'bge-large-zh',
    'bge-large-en',
    'tao-8k',
  ],
})
