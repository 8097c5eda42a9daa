import { bearer } from '../auth'
import { balanceAt, dollarsAt, requireNumber, requireObject } from '../balance'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import {
  openAiAudio,
  openAiCompletions,
  openAiEmbeddings,
  ownImages,
  rerank,
  thinkingChat,
  wholeOpenAiImages,
} from '../modes'
import type { JsonObject, ThinkingForm } from '@tollgate/dialects'
import { defineProvider } from '../provider'
import { developerAsSystem } from '../refused'
import { type Change, renameMember, composeShape, withoutMembers } from '../shape'
import { openAiPath } from '../urls'
import { alwaysThinkingGlm } from './open-models'

/** https://docs.siliconflow.cn/cn/api-reference/images/images-generations */
const imageMembers: Change = (body, { model }) => {
  const known = renameMember(withoutMembers(body, 'response_format'), 'size', 'image_size')
  return isKolors(model) ? renameMember(known, 'n', 'batch_size') : withoutMembers(known, 'n')
}

const isKolors = (model: string): boolean => model.endsWith('/Kolors')

/** Other models draw one. */
const maxImages = (model: string): number => (isKolors(model) ? 4 : 1)

const budget = { min: 128, max: 32_768 }
/** Other models refuse the switch. */
const hybrid =
  /\/(?:Qwen3-\d+(?:\.\d+)?B(?:-A\d+B)?|Qwen3\.\d+-[\w.-]+|DeepSeek-V3\.[12][\w-]*|GLM-(?:4\.5V|4\.[67]V?|5(?:\.\d)?)|Hunyuan-A13B-Instruct)$/
/** Those that take an effort too, of two. */
const withEffort = /\/(?:DeepSeek-V[4-9][\w.-]*|GLM-(?:5\.[2-9]|[6-9][\w.-]*))$/
const efforts = { minimal: 'high', low: 'high', medium: 'high', high: 'high', xhigh: 'max', max: 'max' } as const
const alwaysThink = /QwQ|-Thinking|DeepSeek-R1|GLM-Z1|Ring-/

/** https://docs.siliconflow.cn/docs/api/chat-completions-post */
function thinkingForm(model: string): ThinkingForm | null {
  if (alwaysThinkingGlm.test(model)) return { switch: null, budget, efforts }
  if (withEffort.test(model)) return { switch: 'enable_thinking', budget, efforts }
  if (hybrid.test(model)) return { switch: 'enable_thinking', budget }
  return alwaysThink.test(model) ? { switch: null, budget } : null
}

/** The list has a name of the vendor's own; the addresses in it last an hour. */
const withData = (answer: JsonObject): JsonObject => ('data' in answer ? answer : { ...answer, data: answer['images'] })

/** https://docs.siliconflow.cn/cn/api-reference; chunks of a stream hold the usage so far unasked. */
export const siliconFlow = defineProvider({
  type: 40,
  id: 'siliconflow',
  name: { en: 'SiliconCloud', zh: '硅基流动 SiliconCloud' },
  baseUrl: 'https://api.siliconflow.cn',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {
    chat: thinkingChat(thinkingForm, { acceptsStreamOptions: false, changes: [developerAsSystem] }),
    completions: openAiCompletions({ acceptsStreamOptions: false }),
    embeddings: openAiEmbeddings(),
    images: ({ model }) =>
      wholeOpenAiImages({ shape: composeShape(imageMembers), maxImages: maxImages(model), complete: withData }),
    'image-edits': ({ model }) =>
      ownImages('siliconflow-images', {
        url: openAiPath('/v1', '/v1', 'images/generations'),
        maxImages: maxImages(model),
      }),
    rerank: rerank(),
    ...openAiAudio(),
  },
  fields: [regionalBaseUrlField('https://api.siliconflow.cn', 'https://api.siliconflow.com')],
  models: [
    'deepseek-ai/DeepSeek-V3.2',
    'deepseek-ai/DeepSeek-V3',
    'deepseek-ai/DeepSeek-R1',
    'Pro/zai-org/GLM-5.1',
    'zai-org/GLM-4.6',
    'moonshotai/Kimi-K2-Instruct-0905',
    'MiniMaxAI/MiniMax-M2',
    'Qwen/Qwen3-235B-A22B-Instruct-2507',
    'Qwen/Qwen3-Coder-480B-A35B-Instruct',
    'Qwen/Qwen3-32B',
    'Qwen/Qwen3-8B',
    'Qwen/Qwen2.5-72B-Instruct',
    'Qwen/Qwen2.5-7B-Instruct',
    'BAAI/bge-m3',
    'BAAI/bge-large-zh-v1.5',
    'Qwen/Qwen3-Embedding-8B',
    'BAAI/bge-reranker-v2-m3',
    'Qwen/Qwen3-Reranker-8B',
    'Qwen/Qwen-Image',
    'Qwen/Qwen-Image-Edit-2509',
    'Kwai-Kolors/Kolors',
    'FunAudioLLM/CosyVoice2-0.5B',
    'FunAudioLLM/SenseVoiceSmall',
  ],
  modelList: openAiModelList(),
  balance: balanceAt(
    ({ baseUrl }) => `${baseUrl}/v1/user/info`,
    ({ code, data }, target) => {
      if (code !== 20_000) throw new TypeError('The balance answer reports a failure')
      return dollarsAt('siliconflow.com', target, requireNumber(requireObject(data)['totalBalance']))
    },
  ),
})
