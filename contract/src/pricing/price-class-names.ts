import { tokenClasses, toolClasses, type PriceClass } from './price-classes'

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
