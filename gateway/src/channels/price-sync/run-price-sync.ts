import type { Context } from '../../context'
import { dayOf } from '../catalog/suggested-models'
import {
  gatewayFindings,
  listedPrices,
  listFindings,
  pricedModels,
  type ListDocuments,
  type SyncRules,
} from './findings'
import { gatewayPrices, type GatewayPrice } from './gateway-prices'
import { keepFindings } from './keep-findings'
import { channelSources, listSources, recordReading, type ChannelSource } from './price-sources'
import { readGateway, readList, SourceError, type Reading } from './read-source'
import { nowOf, setSyncTime, syncTimes } from './sync-times'
import { syncYuanRate, yuanRateSource } from './yuan-rate'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'fetch' | 'log' | 'outbound'>

/**
 * Reads every source of prices and stores its differences from what is charged. A source that cannot be read changes nothing: its failure
 * is stored with it.
 */
export async function runPriceSync(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { clock, database } = deps
  const { requested } = await syncTimes(database.query)
  const started = Math.max(nowOf(clock), requested)
  await setSyncTime(database.query, 'started', started)
  try {
    await syncRate(deps)
    await syncLists(deps)
    for (const source of await channelSources(database.query)) {
      if (signal?.aborted) return
      await syncGateway(deps, source)
    }
  } finally {
    await setSyncTime(database.query, 'finished', Math.max(nowOf(clock), started))
  }
}

const rulesOf = ({ catalog }: Pick<Deps, 'catalog'>): SyncRules => {
  const { PriceSyncMostRise: maxRise, PriceSyncAppliesFalls: appliesFalls } = catalog.current.options
  return { maxRise, appliesFalls }
}

/** Before the prices in yuan are compared. */
async function syncRate(deps: Deps): Promise<void> {
  const url = deps.catalog.current.options.PriceSyncYuanRateUrl
  if (url === '') return
  const reading = await attempt(async () => {
    await syncYuanRate(deps, url)
    return 0
  })
  await recordReading(deps, { name: yuanRateSource, channelId: 0 }, reading)
}

/** The lists complete each other, so nothing is compared unless all that are used can be read. */
async function syncLists(deps: Deps): Promise<void> {
  const today = dayOf(deps.clock)
  const documents: { -readonly [Name in keyof ListDocuments]: unknown } = { liteLlm: undefined, modelsDev: undefined }
  const used = listSources(deps.catalog.current.options).filter(({ url }) => url !== '')
  let isWhole = used.length > 0
  for (const { name, url, document } of used) {
    const reading = await attempt(async () => {
      const read = await readList(deps, url)
      const { count } = await listedPrices({ liteLlm: undefined, modelsDev: undefined, [document]: read }, today).catch(
        rethrowAsMalformed,
      )
      if (count === 0) throw new SourceError('malformed')
      documents[document] = read
      return count
    })
    isWhole &&= reading.failure === ''
    await recordReading(deps, { name, channelId: 0 }, reading)
  }
  if (!isWhole) return
  const listed = await listedPrices(documents, today)
  const { current } = deps.catalog
  const rules = rulesOf(deps)
  await keepFindings(deps, 'lists', (present) =>
    listFindings(pricedModels(current, present), listed, today, {
      present,
      rules,
      marketOf: (model) => current.prices.marketOf(model),
      yuanRate: current.options.ListPriceYuanRate,
    }),
  )
}

function rethrowAsMalformed(error: unknown): never {
  throw error instanceof TypeError ? new SourceError('malformed') : error
}

async function syncGateway(deps: Deps, source: ChannelSource): Promise<void> {
  const channel = deps.catalog.current.channels.get(source.channelId)
  if (!channel) return
  let prices: readonly GatewayPrice[] = []
  const reading = await attempt(async () => {
    const base = (channel.baseUrl || (channel.provider.baseUrl ?? '')).replace(/\/(?:v1\/?)?$/, '')
    prices = await pricesOfGateway(deps, base, source.group, channel.setting.proxy)
    return prices.length
  })
  await recordReading(deps, source, reading)
  if (reading.failure !== '') return
  const rules = rulesOf(deps)
  await keepFindings(deps, source.name, (present) => gatewayFindings(channel, source.use, prices, { present, rules }))
}

/** Gateways have one of two pages, or neither. */
async function pricesOfGateway(deps: Deps, base: string, group: string, proxy?: string): Promise<GatewayPrice[]> {
  if (base === '') throw new SourceError('unsupported')
  for (const path of ['/api/pricing', '/api/ratio_config']) {
    const gatewayResponse = await readGateway(deps, base + path, proxy).catch((error: unknown) => {
      const isMissing =
        error instanceof SourceError && (error.failure === 'malformed' || [403, 404].includes(error.status ?? 0))
      if (!isMissing) throw error
      return null
    })
    const prices = gatewayPrices(gatewayResponse, group)
    if (prices && prices.length > 0) return prices
  }
  throw new SourceError('unsupported')
}

async function attempt(read: () => Promise<number>): Promise<Reading> {
  try {
    return { failure: '', status: null, models: await read() }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { failure: error.failure, status: error.status, models: 0 }
  }
}
