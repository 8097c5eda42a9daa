import type { Provider } from './provider'
import { ai360 } from './vendors/ai360'
import { aiProxy } from './vendors/aiproxy'
import { anthropic } from './vendors/anthropic'
import { azure } from './vendors/azure'
import { baidu } from './vendors/baidu'
import { bedrock } from './vendors/bedrock'
import { cloudflare } from './vendors/cloudflare'
import { cohere } from './vendors/cohere'
import { coze } from './vendors/coze'
import { custom } from './vendors/custom'
import { dashScope } from './vendors/dashscope'
import { deepSeek } from './vendors/deepseek'
import { dify } from './vendors/dify'
import { fastGpt } from './vendors/fastgpt'
import { gemini } from './vendors/gemini'
import { gitHub } from './vendors/github'
import { iFlytek } from './vendors/iflytek'
import { jimeng } from './vendors/jimeng'
import { jina } from './vendors/jina'
import { kling } from './vendors/kling'
import { lingyiwanwu } from './vendors/lingyiwanwu'
import { midjourney, midjourneyPlus } from './vendors/midjourney'
import { miniMax } from './vendors/minimax'
import { mistral } from './vendors/mistral'
import { moka } from './vendors/moka'
import { moonshot } from './vendors/moonshot'
import { ollama } from './vendors/ollama'
import { openAi } from './vendors/openai'
import { openRouter } from './vendors/openrouter'
import { palm } from './vendors/palm'
import { qianfan } from './vendors/qianfan'
import { siliconFlow } from './vendors/siliconflow'
import { suno } from './vendors/suno'
import { tencent } from './vendors/tencent'
import { vertex } from './vendors/vertex'
import { vidu } from './vendors/vidu'
import { volcEngine } from './vendors/volcengine'
import { xAi } from './vendors/xai'
import { xinference } from './vendors/xinference'
import { zhipu } from './vendors/zhipu'

export { isContentRefusalText, isTooLongText } from './content-words'
export * from './batches/batch-api'
export { batchApiAt } from './batches/vendor-batches'
export * from './model-maker'
export * from './provider'
export * from './refusal-words'
export { refusedNames } from './refused-names'
export * from './refused-parts'
export { forceStreaming } from './force-streaming'
export { isPlainLoginHeader, loginHeaders, ownLoginFactor, takesOwnLogins } from './own-login'
export * from './task-apis'
export * from './tasks'
export * from './videos/frame-size'
export * from './videos/video-request'

/** Every vendor, by channel type. The only list. */
export const providers: readonly Provider[] = [
  openAi,
  midjourney,
  azure,
  ollama,
  midjourneyPlus,
  custom,
  palm,
  anthropic,
  baidu,
  zhipu,
  dashScope,
  iFlytek,
  ai360,
  openRouter,
  aiProxy,
  fastGpt,
  tencent,
  moonshot,
  gemini,
  lingyiwanwu,
  bedrock,
  cohere,
  miniMax,
  suno,
  dify,
  jina,
  cloudflare,
  vertex,
  siliconFlow,
  mistral,
  deepSeek,
  moka,
  volcEngine,
  qianfan,
  xinference,
  xAi,
  gitHub,
  kling,
  jimeng,
  vidu,
  coze,
]

/** The vendors that most operators connect, best known first: the beginning of every choice of vendors. */
export const popularProviders: readonly Provider[] = [
  openAi,
  anthropic,
  gemini,
  azure,
  bedrock,
  vertex,
  deepSeek,
  openRouter,
  dashScope,
  mistral,
  xAi,
  ollama,
]

const byType: ReadonlyMap<number, Provider> = new Map(providers.map((provider) => [provider.type, provider]))

/** The vendor of a channel type, or undefined for an unknown type. */
export const providerOf = (type: number): Provider | undefined => byType.get(type)
