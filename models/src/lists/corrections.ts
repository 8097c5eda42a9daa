import { readPriceLine, type ClassPrices, type PriceEntry } from '../index'

/** A price that the lists have wrong. */
interface Correction {
  readonly name: string
  /** What the lists say, as in a line of `writePriceLine`: once they say something else, the correction no longer applies. */
  readonly listed: string
  /** The whole entry instead. */
  readonly price: string
  readonly reason: string
  readonly source: string
  /** The date of the source. */
  readonly date: string
}

const zAi = 'models.dev zai; LiteLLM zai'
const lobeHub = 'lobehub model-bank'
/** Yuan for one US dollar, by which prices in yuan were converted here. */
const rate = '7.1'

/** Each was checked against at least one other source. US dollars. */
export const corrections: readonly Correction[] = [
  {
    name: 'glm-5v-turbo',
    listed: 'i5 o22 r1.2',
    price: 'i1.2 o4 r0.24',
    reason: 'yuan in a list of US dollars',
    source: zAi,
    date: '2026-11-20',
  },
  {
    name: 'embed-multilingual-light-v3.0',
    listed: 'i100',
    price: 'i0.1 o0',
    reason: 'a thousand times the price of embed-english-light-v3.0, which is sold at the same price',
    source: 'LiteLLM cohere, embed-english-light-v3.0',
    date: '2026-11-20',
  },
  {
    name: 'mistral-nemo-2407',
    listed: 'i3 o3',
    price: 'i0.15 o0.15',
    reason: 'the former price at Vertex',
    source: 'models.dev mistral; LiteLLM vertex_ai/mistral-nemo@latest',
    date: '2026-11-20',
  },
  {
    name: 'open-mistral-nemo',
    listed: 'i0.3 o0.3 r0.03',
    price: 'i0.15 o0.15',
    reason: 'a former price',
    source: `models.dev mistral; ${lobeHub}; Portkey models`,
    date: '2026-08-21',
  },
  {
    name: 'glm-4.7-flash',
    listed: 'i0.07 o0.4',
    price: 'i0 o0',
    reason: 'the price at Bedrock of a model that its maker gives away',
    source: zAi,
    date: '2026-11-20',
  },
  {
    name: 'hunyuan-a13b-instruct',
    listed: 'i0.14 o0.57',
    price: 'i0.0704 o0.2817',
    reason: 'the price at SiliconFlow',
    source: `one-api tencent, 0.5 and 2 yuan at ${rate}`,
    date: '2026-08-22',
  },
  {
    name: 'qwen3-235b-a22b-thinking-2507',
    listed: 'i0.1495 o1.495',
    price: 'i0.2817 o2.8169',
    reason: 'the price of another host',
    source: `${lobeHub} qwen.ts, 2 and 20 yuan at ${rate}`,
    date: '2026-08-21',
  },
  {
    name: 'qwen2-vl-72b-instruct',
    listed: 'i1.2 o1.2',
    price: 'i2.294 o6.881',
    reason: 'the price at Together',
    source: 'Portkey models, dashscope',
    date: '2026-08-21',
  },
  {
    name: 'qwen3-next-80b-a3b-instruct',
    listed: 'i0.15 o1.2',
    price: 'i0.5 o2',
    reason: 'fits no region of its vendor',
    source: 'models.dev alibaba; Portkey models',
    date: '2026-08-21',
  },
  {
    name: 'command-r-plus',
    listed: 'i3 o15',
    price: 'i2.5 o10',
    reason: 'the former price, at Azure',
    source: 'Portkey models, cohere',
    date: '2026-08-21',
  },
  ...[
    ['pro-260215', 'i0.46 o2.3', 'r0.0901 >32000 i0.7 o3.5 >128000 i1.4 o7'],
    ['lite-260215', 'i0.087 o0.52', 'r0.0169 >32000 i0.13 o0.78 >128000 i0.26 o1.6'],
    ['mini-260215', 'i0.029 o0.29', 'r0.0056 >32000 i0.058 o0.58 >128000 i0.12 o1.2'],
    ['code-preview-260215', 'i0.46 o2.3', 'r0.0901 >32000 i0.7 o3.5 >128000 i1.4 o7'],
  ].map(([version = '', listed = '', others = '']) => ({
    name: `doubao-seed-2-0-${version}`,
    listed,
    price: `${listed} ${others}`,
    reason: 'the list leaves out reads from the cache',
    source: `${lobeHub} volcengine.ts, 0.64, 0.12 and 0.04 yuan at ${rate}, the same in each tier`,
    date: '2026-08-21',
  })),
]

const byName = new Map(corrections.map((correction) => [correction.name, correction]))

/** Returns the entry of a name without a known error of the lists. */
export function correctEntry(name: string, listed: PriceEntry): PriceEntry {
  const correction = byName.get(name)
  if (!correction || !isListed(listed.prices, read(correction.listed).prices)) return listed
  return read(correction.price)
}

const read = (prices: string): PriceEntry => readPriceLine(` ${prices}`)

const isListed = (listed: ClassPrices, wrong: ClassPrices): boolean =>
  listed.input === wrong.input && (listed.output ?? 0) === (wrong.output ?? 0) && listed.cache_read === wrong.cache_read
