import { modelKeys } from '../model-names'
import { catalogedPrices } from '../price-catalog'
import type { PriceEntry } from '../price-entry'
import { readPriceLine } from '../price-line'
import { vendorPriceText } from './price-text'

export const confidences = ['high', 'medium', 'low'] as const

/** What a vendor charges for a model in one region, in the currency that it publishes. */
export interface VendorPrice extends Market {
  readonly currency: 'USD' | 'CNY'
  /** `low`: not charged by, only proposed. */
  readonly confidence: (typeof confidences)[number]
  /** The date of the source, as `2026-08-21`. */
  readonly date: string
  readonly source: string
  /** In lower case. */
  readonly name: string
  /** Amounts are of `currency`. */
  readonly entry: PriceEntry
}

/** Returns all prices, in the order of vendors and regions. */
export const vendorPrices = (): readonly VendorPrice[] => index().all

/**
 * Returns the price of a model in a market; null where only the general list has one. A price that the general list has under a more
 * specific name counts before that of a shorter one here.
 */
export function vendorPriceOf({ vendor, region }: Market, name: string): VendorPrice | null {
  const whole = name.trim().toLowerCase()
  for (const key of [whole, ...modelKeys(name)]) {
    const found = index().byMarket.get(`${vendor} ${region} ${key}`)
    if (found) return found
    if (index().general.has(key)) return null
  }
  return null
}

/** Returns the prices of exactly this name in all markets. */
export const marketsOf = (name: string): readonly VendorPrice[] => index().byName.get(name.trim().toLowerCase()) ?? []

interface Index {
  readonly all: readonly VendorPrice[]
  readonly byMarket: ReadonlyMap<string, VendorPrice>
  readonly byName: ReadonlyMap<string, readonly VendorPrice[]>
  readonly general: ReadonlySet<string>
}

let cachedIndex: Index | null = null

/** Made at first use. */
function index(): Index {
  if (cachedIndex) return cachedIndex
  const all = vendorPriceText.split('\n').map(readVendorPrice)
  cachedIndex = {
    all,
    byMarket: new Map(all.map((price) => [`${price.vendor} ${price.region} ${price.name}`, price])),
    byName: Map.groupBy(all, ({ name }) => name),
    general: new Set(catalogedPrices()),
  }
  return cachedIndex
}

function readVendorPrice(text: string): VendorPrice {
  const [head = '', line = '', source = ''] = text.split('|')
  const [vendor = '', region, currency, confidence, date = ''] = head.split(' ')
  return {
    vendor,
    region: (region === 'cn' ? 'cn' : 'intl') satisfies Region,
    currency: currency === 'CNY' ? 'CNY' : 'USD',
    confidence: confidences.find((one) => one === confidence) ?? 'low',
    date,
    source,
    name: line.slice(0, line.indexOf(' ')),
    entry: readPriceLine(line),
  }
}

/** Mainland China, or everywhere else. */
export type Region = 'cn' | 'intl'

/** Where a model is bought: the id of a vendor, and a region with prices of its own. */
export interface Market {
  readonly vendor: string
  readonly region: Region
}

/** Vendors with an address in mainland China, and the hosts at which they sell to the rest of the world. */
const foreignHosts: Readonly<Record<string, RegExp | null>> = {
  baidu: null,
  dashscope: /(?:^|\.)dashscope-(?:intl|us)\.aliyuncs\.com$/,
  iflytek: null,
  jimeng: null,
  kling: /(?:^|[.-])singapore\.klingai\.com$|(?:^|\.)api\.klingai\.com$/,
  lingyiwanwu: null,
  minimax: /(?:^|\.)minimax\.io$|(?:^|\.)minimaxi\.chat$/,
  moonshot: /(?:^|\.)moonshot\.ai$/,
  qianfan: /(?:^|\.)bce-intl\.baidubce\.com$/,
  siliconflow: /(?:^|\.)siliconflow\.com$/,
  tencent: null,
  vidu: /(?:^|\.)vidu\.com$/,
  volcengine: /(?:^|\.)bytepluses\.com$/,
  zhipu: /(?:^|\.)z\.ai$/,
}

/** Returns the region whose prices a vendor charges at an address. An address of the operator's own has the vendor's default. */
export function regionOf(vendor: string, baseUrl: string): Region {
  const foreign = foreignHosts[vendor]
  if (foreign === undefined) return 'intl'
  return foreign?.test(URL.parse(baseUrl)?.hostname ?? '') === true ? 'intl' : 'cn'
}

/** Vendors whose prices depend on the address. */
export const regionalVendors: readonly string[] = Object.keys(foreignHosts)
