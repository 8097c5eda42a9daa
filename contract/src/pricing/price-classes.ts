/** Priced per million tokens. */
export const tokenClasses = [
  'input',
  'output',
  'cache_read',
  'cache_read_audio',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'image_out',
  'audio_in',
  'audio_out',
  'reasoning',
] as const
/** Priced per unit; `per_character` per million characters. */
export const unitClasses = ['per_call', 'per_second', 'per_image', 'per_character'] as const
/** Priced per thousand calls of a vendor's built-in tool; `image_generation` per thousand pictures of the lowest quality, which others count as several of. */
export const toolClasses = ['web_search', 'file_search', 'code_interpreter', 'image_generation'] as const
export const priceClasses = [...tokenClasses, ...unitClasses, ...toolClasses] as const
export type PriceClass = (typeof priceClasses)[number]

/** Classes whose price may be given as a factor of the price of `input`, `audio_out` of that of `audio_in`. */
export const ratioClasses = [
  'output',
  'cache_read',
  'cache_read_audio',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'image_out',
  'audio_in',
  'audio_out',
  'reasoning',
] as const
export type RatioClass = (typeof ratioClasses)[number]

/** What a response may report about how it was served. */
export const modeFields = ['service_tier', 'speed', 'region', 'batch', 'size', 'quality'] as const
export type ModeField = (typeof modeFields)[number]

/** The words for price classes everywhere: price lists, the cost of a call, exports. */
export const priceClassNames: Readonly<Record<PriceClass, { readonly en: string; readonly zh: string }>> = {
  input: { en: 'Input', zh: '输入' },
  output: { en: 'Output', zh: '输出' },
  cache_read: { en: 'Cache read', zh: '缓存读取' },
  cache_read_audio: { en: 'Cache read, audio', zh: '缓存读取（音频）' },
  cache_write_5m: { en: 'Cache write, 5 min', zh: '缓存写入（5 分钟）' },
  cache_write_1h: { en: 'Cache write, 1 h', zh: '缓存写入（1 小时）' },
  image_in: { en: 'Image input', zh: '图片输入' },
  image_out: { en: 'Image output', zh: '图片输出' },
  audio_in: { en: 'Audio input', zh: '音频输入' },
  audio_out: { en: 'Audio output', zh: '音频输出' },
  reasoning: { en: 'Reasoning', zh: '推理' },
  per_call: { en: 'Call', zh: '调用' },
  per_second: { en: 'Second', zh: '时长' },
  per_image: { en: 'Image or page', zh: '图片或页' },
  per_character: { en: 'Characters', zh: '字符' },
  web_search: { en: 'Web search', zh: '联网搜索' },
  file_search: { en: 'File search', zh: '文件搜索' },
  code_interpreter: { en: 'Code interpreter', zh: '代码解释器' },
  image_generation: { en: 'Image tool', zh: '图像生成工具' },
}

/** Returns `$0.15/M`: a price in US dollars with the amount it is for, in both languages. */
export const unitPriceText = (name: PriceClass, dollars: number): string =>
  `$${digits.format(dollars)}${suffixOf(name)}`

const digits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })

function suffixOf(name: PriceClass): string {
  if (ofTokens.has(name) || name === 'per_character') return '/M'
  return ofTools.has(name) ? '/1,000' : ''
}

const ofTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
const ofTools: ReadonlySet<PriceClass> = new Set(toolClasses)
