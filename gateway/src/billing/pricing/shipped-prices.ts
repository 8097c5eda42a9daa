import { catalogPriceOf, type PriceEntry, type PriceMode } from '@tollgate/models'
import { providers } from '@tollgate/providers'

/*
 * The prices that ship with the gateway besides the generated lists of `models`. All of it is data: `list-price.ts` and `resolve-price.ts`
 * decide where it counts.
 */

/** Returns the same figure under several names. */
const each = (figure: number, ...names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, figure]))

/** Prices of one call in US dollars where the operator set none. */
export const callPrices: ReadonlyMap<string, number> = new Map(
  Object.entries({
    suno_music: 0.1,
    suno_lyrics: 0.01,
    'gpt-4-gizmo-*': 0.1,
    ...each(0.1, 'mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_modal', 'mj_zoom', 'mj_shorten'),
    ...each(0.1, 'mj_high_variation', 'mj_low_variation', 'mj_pan', 'mj_edits'),
    mj_video: 0.8,
    ...each(0, 'mj_inpaint', 'mj_custom_zoom'),
    ...each(0.05, 'mj_describe', 'mj_upscale', 'mj_upload', 'swap_face'),
  }),
)

const portrait = '1024x1792'
const landscape = '1792x1024'

const mode = (price: number, match: { readonly size?: string; readonly quality?: string }): PriceMode => ({
  name: Object.values(match).join(' '),
  match,
  prices: { per_image: price },
})

/** A page that is read, with what it costs where a schema for annotations is given. https://mistral.ai/pricing#api-pricing */
const page = (price: number, annotated: number): PriceEntry => ({
  prices: { per_image: price },
  modes: [mode(annotated, { quality: 'annotated' })],
})

/**
 * What an image costs, or a page of a document, in US dollars, by size and quality, where the lists do not tell or tell only of one size.
 * https://platform.openai.com/docs/pricing, https://ai.google.dev/gemini-api/docs/pricing
 */
export const imagePrices: ReadonlyMap<string, PriceEntry> = new Map(
  Object.entries({
    'dall-e-2': {
      prices: { per_image: 0.02 },
      modes: [mode(0.016, { size: '256x256' }), mode(0.018, { size: '512x512' })],
    },
    'dall-e-3': {
      prices: { per_image: 0.04 },
      modes: [
        mode(0.12, { size: portrait, quality: 'hd' }),
        mode(0.12, { size: landscape, quality: 'hd' }),
        mode(0.08, { size: portrait }),
        mode(0.08, { size: landscape }),
        mode(0.08, { quality: 'hd' }),
      ],
    },
    'mistral-ocr-latest': page(0.004, 0.005),
    'mistral-ocr-4-1': page(0.004, 0.005),
    'mistral-ocr-4': page(0.004, 0.005),
    'mistral-ocr-4-0': page(0.004, 0.005),
    'mistral-ocr-3': page(0.002, 0.003),
    'mistral-ocr-3-0': page(0.002, 0.003),
    'mistral-ocr-2512': page(0.002, 0.003),
    'imagen-3.0-generate-002': { prices: { per_image: 0.03 } },
    'imagen-4.0-generate-001': { prices: { per_image: 0.04 } },
    'imagen-4.0-ultra-generate-001': { prices: { per_image: 0.06 } },
    'imagen-4.0-fast-generate-001': { prices: { per_image: 0.02 } },
  }),
)

/** US dollars for a thousand calls of a vendor's built-in tools. An option may name `tool` or `tool:model`. */
export const fileSearchPrice = (model: string): number => catalogPriceOf(model)?.prices.file_search ?? 2.5

/** An image of the lowest quality by OpenAI's tool: 272 tokens at 40 dollars a million. https://platform.openai.com/docs/pricing */
export const imageGenerationPrice = 10.88

/** Searching costs more with models that do not reason, as what they read is not billed as tokens. */
export function webSearchPrice(model: string): number {
  const listed = catalogPriceOf(model)?.prices.web_search
  if (listed !== undefined) return listed
  if (model.startsWith('gpt-4o') || model.startsWith('gpt-4.1')) return 25
  if (model.startsWith('grok')) return 5
  return model.startsWith('gemini') ? 14 : 10
}

const listSuggested = (isFree: boolean): string[] =>
  providers.filter((provider) => (provider.isFree === true) === isFree).flatMap(({ models }) => models)

const sold = new Set(listSuggested(false))

/** Models that run on the operator's own machines, and that no vendor who charges for them suggests under the same name. */
export const freeModels: ReadonlySet<string> = new Set(listSuggested(true).filter((name) => !sold.has(name)))

/**
 * Model ratios of models that neither price list has, mostly retired ones, where the operator set none: 1 is 2 US dollars for a million
 * prompt tokens.
 */
export const legacyModelRatios: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...each(15, 'gpt-4-all', 'gpt-4o-all', 'gpt-4-gizmo-*', 'whisper-1'),
    ...each(10, 'davinci', 'curie', 'babbage', 'text-davinci-edit-001', 'code-davinci-edit-001'),
    ...each(8.572, 'ERNIE-Bot-4'),
    ...each(8.2192, 'ERNIE-4.0-8K'),
    ...each(8, 'dall-e-2'),
    ...each(7.143, 'glm-4', 'hunyuan'),
    ...each(6.8493, 'glm-4-0520', 'glm-4-alltools'),
    ...each(5, 'gpt-4-vision-preview', 'gpt-4-1106-vision-preview'),
    ...each(4, 'claude-2', 'claude-2.0', 'claude-2.1'),
    ...each(3.4247, 'glm-4v', 'glm-4-plus'),
    ...each(2.5, 'chatgpt-4o-latest', 'gpt-4o-gizmo-*', 'gpt-4o-realtime-preview', 'grok-3-fast', 'grok-3-fast-beta'),
    ...each(2.5, 'grok-beta', 'grok-vision-beta'),
    ...each(1.7123, 'yi-large-rag'),
    ...each(1.6438, 'ERNIE-3.5-8K-0205', 'ERNIE-Bot-8K'),
    ...each(1.3699, 'yi-large'),
    ...each(1.2858, 'SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v2.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5'),
    ...each(1.2858, 'SparkDesk-v4.0'),
    ...each(
      1.25,
      'gpt-4o-audio-preview',
      'gpt-4o-audio-preview-2024-10-01',
      'gemini-1.5-pro',
      'gemini-1.5-pro-latest',
      'gemini-1.5-pro-002',
    ),
    ...each(1, 'text-curie-001', 'PaLM-2', 'grok-2', 'grok-2-1212', 'grok-2-vision'),
    ...each(1, 'grok-2-vision-1212'),
    ...each(0.864, 'yi-34b-chat-200k'),
    ...each(0.8572, 'ERNIE-Bot', '360GPT_S2_V9', '360gpt-pro', '360gpt2-pro', '360GPT_S2_V9.4'),
    ...each(0.8572, '360gpt-turbo-responsibility-8k'),
    ...each(0.8219, 'ERNIE-3.5-8K', 'ERNIE-3.5-8K-1222', 'ERNIE-3.5-4K-0205', 'yi-medium-200k', 'yi-large-turbo'),
    ...each(0.7143, 'chatglm_pro'),
    ...each(0.6849, 'glm-4-airx', 'glm-4v-plus'),
    ...each(0.5715, 'ERNIE-Bot-turbo'),
    ...each(0.5479, 'ERNIE-Lite-8K-0922'),
    ...each(
      0.5,
      'command',
      'command-light',
      'command-light-nightly',
      'llama-3-sonar-large-32k-chat',
      'llama-3-sonar-large-32k-online',
    ),
    ...each(0.432, 'yi-vl-plus'),
    ...each(0.411, 'yi-vision'),
    ...each(0.4, 'claude-instant-1.2'),
    ...each(0.3572, 'chatglm_turbo', 'glm-3-turbo', 'chatglm_std'),
    ...each(
      0.3,
      'gpt-4o-mini-realtime-preview',
      'grok-3-mini-fast',
      'grok-3-mini-fast-low',
      'grok-3-mini-fast-medium',
      'grok-3-mini-fast-high',
    ),
    ...each(
      0.3,
      'grok-3-mini-fast-beta',
      'grok-3-mini-fast-beta-low',
      'grok-3-mini-fast-beta-medium',
      'grok-3-mini-fast-beta-high',
    ),
    ...each(0.274, 'ERNIE-Speed-8K', 'ERNIE-Speed-128K', 'BLOOMZ-7B'),
    ...each(0.25, 'text-babbage-001', 'command-r'),
    ...each(0.2055, 'ERNIE-Lite-8K-0308'),
    ...each(0.2, 'text-ada-001'),
    ...each(0.18, 'yi-34b-chat-0205'),
    ...each(0.1712, 'yi-medium'),
    ...each(0.1429, 'chatglm_lite'),
    ...each(0.137, 'Embedding-V1', 'bge-large-zh', 'bge-large-en', 'tao-8k'),
    ...each(
      0.1,
      'text-moderation-stable',
      'text-moderation-latest',
      'text-moderation-007',
      'omni-moderation-latest',
      'omni-moderation-2024-09-26',
    ),
    ...each(0.1, 'llama-3-sonar-small-32k-chat', 'llama-3-sonar-small-32k-online'),
    ...each(0.0858, '360gpt-turbo'),
    ...each(0.075, 'gpt-4o-mini-audio-preview', 'gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-1.5-flash-002'),
    ...each(0.0715, 'embedding-bert-512-v1', 'embedding_s1_v1', 'semantic_similarity_s1_v1'),
    ...each(0.0685, 'ERNIE-Tiny-8K', 'glm-4-air', 'glm-4-long', 'yi-spark'),
    ...each(0.05, 'text-embedding-v1'),
    ...each(0, 'glm-4-flash'),
  }),
)

/** The price of a completion token relative to a prompt token, for models that the catalog no longer lists. */
export const legacyCompletionRatios: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...each(2, 'gpt-4-gizmo-*', 'gpt-4-all'),
    ...each(3, 'gpt-4o-gizmo-*', 'chatgpt-4o-latest', 'gpt-4-vision-preview', 'gpt-4-1106-vision-preview'),
    ...each(3, 'claude-2', 'claude-2.0', 'claude-2.1', 'claude-instant-1.2', 'command-r'),
    ...each(4, 'gemini-1.5-pro', 'gemini-1.5-pro-latest', 'gemini-1.5-pro-002'),
    ...each(4, 'gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-1.5-flash-002'),
    ...each(4, 'command', 'command-light', 'command-light-nightly', 'gpt-4o-audio-preview', 'gpt-4o-realtime-preview'),
    ...each(4, 'gpt-4o-mini-audio-preview', 'gpt-4o-mini-realtime-preview'),
    ...each(5, 'grok-3-fast', 'grok-3-fast-beta'),
    ...each(20 / 3, 'grok-3-mini-fast', 'grok-3-mini-fast-beta'),
    ...each(2, 'ERNIE-Speed-8K', 'ERNIE-Speed-128K', 'ERNIE-Lite-8K-0922', 'ERNIE-Lite-8K-0308'),
  }),
)

/** Prefix of a model's name and its ratio; the first match counts. */
type PrefixTable = readonly (readonly [prefix: string, ratio: number])[]

const byPrefix = (table: PrefixTable, model: string): number | undefined =>
  table.find(([prefix]) => model.startsWith(prefix))?.[1]

const cacheReads: PrefixTable = [['gpt-4o', 0.5]]

/** Returns the price of a prompt token read from the vendor's cache relative to a plain one, where the operator set nothing. */
export const defaultCacheRatio = (model: string): number | undefined => byPrefix(cacheReads, model)

const audios: PrefixTable = [
  ['gpt-4o-realtime-preview', 8],
  ['gpt-4o-mini-realtime-preview', 10 / 0.6],
  ['gpt-4o-audio-preview', 16],
  ['gpt-4o-mini-audio-preview', 10 / 0.15],
]

/** Returns the price of an audio token relative to a plain prompt token; a dated name costs what the undated does. */
export function defaultAudioRatio(model: string): number | undefined {
  const known = byPrefix(audios, model)
  if (known !== undefined) return known
  if (model.includes('-realtime')) return 20
  return model.includes('-audio') ? 40 : undefined
}

/** Returns the price of a token of spoken output relative to one of audio input. */
export const defaultAudioCompletionRatio = (model: string): number | undefined =>
  model.includes('-realtime') || model.includes('-audio') ? 2 : undefined
