import type { OptionValues, Table } from '@tollgate/contract'

import {
  catalogCallPrice,
  catalogClassRatios,
  catalogModelRatio,
  familyClassRatios,
  type ClassRatios,
} from './defaults/catalog-ratios'
import { keptCompletionRatios } from './defaults/completion-ratios'
import { defaultFixedPrices } from './defaults/fixed-prices'
import { freeModels } from './defaults/free-models'
import {
  cacheHourFactor,
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  defaultCacheWriteRatio,
} from './defaults/media-ratios'
import { keptModelRatios } from './defaults/kept-ratios'
import { fileSearchPrice, webSearchPrice } from './defaults/tool-prices'
import type { PerCall, PerToken, Price, Ratios, ToolPrices } from './price'

/** The options that prices come from. */
export type PriceOptions = Pick<
  OptionValues,
  | 'ModelRatio'
  | 'ModelPrice'
  | 'CompletionRatio'
  | 'CacheRatio'
  | 'CreateCacheRatio'
  | 'ImageRatio'
  | 'AudioRatio'
  | 'AudioCompletionRatio'
  | 'ToolPrice'
  | 'GroupRatio'
  | 'GroupGroupRatio'
  | 'QuotaPerUnit'
  | 'SelfUseModeEnabled'
>

/** Who buys what. */
interface PriceQuery {
  /** The group in use. */
  readonly group: string
  /** The caller's own group. */
  readonly userGroup: string
  /** The model as the upstream names it: its entries count where the model's own name has none. */
  readonly upstreamModel?: string
  /** The caller pays the ceiling for a model without a price. */
  readonly acceptsUnpriced?: boolean
}

/** What a model costs before any group's ratio. */
type ModelPrice =
  | (Pick<PerCall, 'kind' | 'usd'> & { readonly tools: ToolPrices })
  | (Pick<PerToken, 'kind' | 'ratios'> & { readonly tools: ToolPrices })

/** All prices of the site. */
export interface PriceTable {
  /** The price of a model; null when none is known and the caller does not accept that. Remembered: one look-up a call. */
  priceOf(model: string, query: PriceQuery): Price | null
  /** The same before any group's ratio; null when no price is known. */
  modelPriceOf(model: string, upstreamModel?: string): ModelPrice | null
}

/** 75 US dollars for a million prompt tokens: what a model without a price costs those who accept it. */
const unknownModelRatio = 37.5

/** Names come from clients, so what is remembered is bounded. */
const mostRemembered = 10_000

/** The prices in force under these options. */
export function createPriceTable(options: PriceOptions): PriceTable {
  const remembered = new Map<string, Price | null>()
  const modelPriceOf = (model: string, upstreamModel = model) => modelPrice(options, namesOf(model, upstreamModel))

  function priced(model: string, query: PriceQuery): Price | null {
    const { group, userGroup, upstreamModel } = query
    const accepts = query.acceptsUnpriced === true || options.SelfUseModeEnabled
    const known = modelPriceOf(model, upstreamModel)
    if (known === null && !accepts) return null
    const common = {
      groupRatio: options.GroupRatio[group] ?? 1,
      userGroupRatio: options.GroupGroupRatio[userGroup]?.[group] ?? null,
      quotaPerUnit: options.QuotaPerUnit,
    }
    if (known?.kind === 'per-call') return { ...known, ...common }
    if (known) return { ...known, ...common, assumed: false }
    const names = namesOf(model, upstreamModel ?? model)
    const ratios = ratiosOf(options, names, unknownModelRatio)
    return { kind: 'per-token', ratios, tools: toolsOf(options, names), ...common, assumed: true }
  }

  function priceOf(model: string, query: PriceQuery): Price | null {
    const { group, userGroup, upstreamModel = '', acceptsUnpriced = false } = query
    const key = `${model}\n${group}\n${userGroup}\n${upstreamModel}\n${acceptsUnpriced}`
    const found = remembered.get(key)
    if (found !== undefined) return found
    if (remembered.size >= mostRemembered) remembered.clear()
    const price = priced(model, query)
    remembered.set(key, price)
    return price
  }

  return { priceOf, modelPriceOf }
}

/** The names a price is looked for under, the best first: the caller's, then the upstream's, each with its wildcard. */
function namesOf(model: string, upstreamModel: string): string[] {
  const names = upstreamModel === model || upstreamModel === '' ? [model] : [model, upstreamModel]
  return names.flatMap((name) => {
    const wildcard = wildcards.find((one) => name !== one && name.startsWith(one.slice(0, -1)))
    return wildcard === undefined ? [name] : [name, wildcard]
  })
}

/** Any model that starts like these costs what they do. */
const wildcards = ['gpt-4-gizmo-*', 'gpt-4o-gizmo-*'] as const

const defaultRatios = new Map(Object.entries(keptModelRatios))
const defaultPrices = new Map(Object.entries(defaultFixedPrices))

/** The vendor's price comes before what is kept here for models that no list has any more. */
const defaultRatio = (name: string): number | undefined =>
  catalogModelRatio(name) ?? defaultRatios.get(name) ?? (freeModels.has(name) ? 0 : undefined)

const defaultPrice = (name: string): number | undefined => defaultPrices.get(name) ?? catalogCallPrice(name)

/** For each name, what the operator set comes before what is built in, and a price for the call before ratios. */
function modelPrice(options: PriceOptions, names: readonly string[]): ModelPrice | null {
  for (const name of names) {
    const ratio = options.ModelRatio[name]
    const usd = options.ModelPrice[name] ?? (ratio === undefined ? defaultPrice(name) : undefined)
    if (usd !== undefined) return { kind: 'per-call', usd, tools: toolsOf(options, names) }
    const model = ratio ?? defaultRatio(name)
    if (model !== undefined) {
      return { kind: 'per-token', ratios: ratiosOf(options, names, model), tools: toolsOf(options, names) }
    }
  }
  return null
}

/** The first name that the operator's table or the built-in one knows. */
function first(
  names: readonly string[],
  set: Table<number>,
  builtIn: (model: string) => number | undefined,
): number | undefined {
  for (const name of names) {
    const ratio = set[name] ?? builtIn(name)
    if (ratio !== undefined) return ratio
  }
  return undefined
}

function ratiosOf(options: PriceOptions, names: readonly string[], model: number): Ratios {
  const listed = (name: keyof ClassRatios, set: Table<number>, kept: RatioOf = unknown) =>
    first(names, set, (one) => catalogClassRatios(one)[name] ?? kept(one)) ??
    first(names, {}, (one) => familyClassRatios(one)[name])
  const cacheWrite = listed('cacheWrite', options.CreateCacheRatio) ?? defaultCacheWriteRatio
  const isSet = first(names, options.CreateCacheRatio, unknown) !== undefined
  return {
    model,
    completion: listed('completion', options.CompletionRatio, (one) => keptCompletionRatios.get(one)) ?? 1,
    cacheRead: listed('cacheRead', options.CacheRatio, defaultCacheRatio) ?? 1,
    cacheWrite,
    cacheWriteHour: (isSet ? undefined : listed('cacheWriteHour', {})) ?? cacheWrite * cacheHourFactor,
    image: listed('image', options.ImageRatio) ?? 1,
    audio: listed('audio', options.AudioRatio, defaultAudioRatio) ?? 1,
    audioCompletion: listed('audioCompletion', options.AudioCompletionRatio, defaultAudioCompletionRatio) ?? 1,
  }
}

type RatioOf = (model: string) => number | undefined

const unknown: RatioOf = () => undefined

function toolsOf({ ToolPrice }: PriceOptions, names: readonly string[]): ToolPrices {
  const [model = ''] = names
  return {
    webSearch: ToolPrice[`web_search:${model}`] ?? ToolPrice['web_search'] ?? webSearchPrice(model),
    fileSearch: ToolPrice[`file_search:${model}`] ?? ToolPrice['file_search'] ?? fileSearchPrice(model),
  }
}

/** One table for each snapshot of the options. */
const tables = new WeakMap<PriceOptions, PriceTable>()

/** The price table of these options, made when first asked for. */
export function priceTableOf(options: PriceOptions): PriceTable {
  const known = tables.get(options)
  if (known) return known
  const table = createPriceTable(options)
  tables.set(options, table)
  return table
}
