import { providerOf } from '@tollgate/providers'

import type { Lineage } from './lineage'

/** Our channel for one of the source's. */
export interface TypeMatch {
  /** Null: we have none. */
  readonly type: number | null
  /** Where it is sent when the channel names no address. */
  readonly baseUrl?: string
  /** What an operator should know. */
  readonly note?: string
}

/** Types that have another number with us. */
interface Renumbered {
  readonly name: string
  readonly type: number | null
  readonly baseUrl?: string
}

const openAi = 1
const noVendor = (name: string): Renumbered => ({ name, type: null })
/** A vendor whose API is OpenAI's, at its own address. */
const compatible = (name: string, baseUrl?: string): Renumbered => ({ name, type: openAi, ...(baseUrl && { baseUrl }) })

/** Resellers of the first releases, which all speak OpenAI's API. */
const resellers = new Map<number, Renumbered>([
  [6, compatible('OpenAI Max', 'https://api.openaimax.com')],
  [7, compatible('OhMyGPT', 'https://api.ohmygpt.com')],
  [9, compatible('AILS', 'https://api.caipacity.com')],
  [10, compatible('AI Proxy', 'https://api.aiproxy.io')],
  [12, compatible('API2GPT', 'https://api.api2gpt.com')],
  [13, compatible('AIGC2D', 'https://api.aigc2d.com')],
])

const ofOneApi = new Map<number, Renumbered>([
  ...resellers,
  [2, compatible('API2D')],
  [4, compatible('CloseAI')],
  [5, compatible('OpenAI-SB')],
  [26, compatible('Baichuan', 'https://api.baichuan-ai.com')],
  [27, { name: 'MiniMax', type: 35 }],
  [28, { name: 'Mistral', type: 42 }],
  [29, compatible('Groq', 'https://api.groq.com/openai')],
  [30, { name: 'Ollama', type: 4 }],
  [31, { name: '01.AI', type: 31 }],
  [32, compatible('StepFun', 'https://api.stepfun.com')],
  [33, { name: 'AWS', type: 33 }],
  [34, { name: 'Coze', type: 53 }],
  [35, { name: 'Cohere', type: 34 }],
  [36, { name: 'DeepSeek', type: 43 }],
  [37, { name: 'Cloudflare', type: 39 }],
  [38, noVendor('DeepL')],
  [39, compatible('Together', 'https://api.together.xyz')],
  [40, { name: 'Doubao', type: 45 }],
  [41, compatible('Novita', 'https://api.novita.ai/v3/openai')],
  [42, { name: 'Vertex AI', type: 41 }],
  [43, noVendor('Proxy')],
  [44, { name: 'SiliconFlow', type: 40 }],
  [45, { name: 'xAI', type: 48 }],
  [46, noVendor('Replicate')],
  [47, { name: 'Baidu V2', type: 46 }],
  [48, noVendor('iFlytek Spark V2')],
  [49, compatible('Alibaba Bailian', 'https://dashscope.aliyuncs.com/compatible-mode')],
  [50, compatible('OpenAI-compatible')],
  [51, noVendor('Gemini by OpenAI’s API')],
])

const ofBoth: readonly (readonly [number, Renumbered])[] = [
  ...resellers,
  [26, { name: 'Zhipu V4', type: 16 }],
  [27, noVendor('Perplexity')],
]
const ofVeloera = new Map<number, Renumbered>([...ofBoth, [50, { name: 'Coze', type: 53 }]])
const ofNewApi = new Map<number, Renumbered>([
  ...ofBoth,
  [49, { name: 'Coze', type: 53 }],
  [53, noVendor('Submodel')],
  [54, noVendor('Doubao video')],
  [55, noVendor('Sora')],
  [56, noVendor('Replicate')],
  [57, noVendor('Codex')],
  [58, noVendor('Advanced custom')],
  [59, noVendor('Sub2API')],
  [60, compatible('New API')],
])

const renumbered: Readonly<Record<Lineage, ReadonlyMap<number, Renumbered>>> = {
  'one-api': ofOneApi,
  veloera: ofVeloera,
  'new-api': ofNewApi,
}

/** The first type whose number the products gave to different vendors. */
const firstOwn = 26

/** Returns our type for a product's. `hasAddress`: the channel names one. */
export function typeMatch(lineage: Lineage, sourceType: number, hasAddress: boolean): TypeMatch {
  const match = renumbered[lineage].get(sourceType)
  if (match) {
    const { name, type, baseUrl } = match
    if (type === null) return { type, note: `type ${sourceType} (${name}) is unknown here` }
    const needsAddress = type === openAi && baseUrl === undefined && !hasAddress
    if (needsAddress) return { type: null, note: `type ${sourceType} (${name}) needs an address` }
    return { type, ...(!hasAddress && baseUrl !== undefined && { baseUrl }) }
  }
  const isOurs = providerOf(sourceType) !== undefined && (lineage !== 'one-api' || sourceType < firstOwn)
  return isOurs ? { type: sourceType } : { type: null, note: `type ${sourceType} is unknown here` }
}
