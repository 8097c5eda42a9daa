import { defaultOptions, type OptionValues } from '@tollgate/contract'

import { PriceBook } from '../../gateway/src/billing/pricing/price-book'
import { buildCatalog, type BuiltCatalog } from '../../gateway/src/channels/catalog/build-catalog'
import { modelName } from '../../gateway/src/channels/catalog/channel-keys'
import { Health } from '../../gateway/src/channels/health/health'
import { plan } from '../../gateway/src/channels/routing/plan'
import { createClock } from '../../gateway/src/platform/time/clock'
import { systemTimers } from '../../gateway/src/platform/time/timers'
import { question } from '../../gateway/test/routes'
import { aCatalogRow } from '../../gateway/test/rows'

/** What a choice among channels that all serve one model at one priority costs, in microseconds. */
export interface StrategyCost {
  readonly channels: number
  readonly byWeight: number
  /** The dearest strategy: a mix of all parts. */
  readonly byMix: number
  readonly conversation: number
  readonly conversationByMix: number
  /** With scores computed anew, as once in five seconds. */
  readonly scoredAnew: number
  /** The first one after an edit of a channel, and after one of prices, when costs are looked up. */
  readonly afterEdit: number
  readonly afterPrices: number
}

const rounds = 5
const choices = 50_000
const fewChoices = 20
const periodMs = 5_000

/** Measures levels of different sizes, each in turns with and without a strategy. */
export function measureStrategies(): StrategyCost[] {
  // Until the code is compiled.
  costOf(200)
  return [10, 200, 2000].map(costOf)
}

function costOf(channels: number): StrategyCost {
  let ms = 0
  const health = new Health({ clock: createClock(() => ms), timers: systemTimers })
  const ids = Array.from({ length: channels }, (_, index) => index + 1)
  const measureSpeeds = () => {
    for (const id of ids)
      health.standings.speeds.record(modelName(id, 'm'), { startMs: 300 + (id % 97) * 10, tokens: 1, tokenMs: 20 })
    ms += periodMs
  }
  measureSpeeds()
  const [plain, mixed] = [siteOf(ids, []), siteOf(ids, [mix])]
  const choose = (site: BuiltCatalog, times: number, sessionOf: (call: number) => number | null = () => null) => {
    for (let time = 0; time < times; time += 1)
      plan(site.catalog, { ...query, health, sessionOf: () => sessionOf(time) })
  }
  const each = (call: number) => call
  const best = { byWeight: Infinity, byMix: Infinity, conversation: Infinity, conversationByMix: Infinity }
  for (let round = 0; round < rounds; round += 1) {
    best.byWeight = Math.min(
      best.byWeight,
      timeOf(choices, () => choose(plain, choices)),
    )
    best.byMix = Math.min(
      best.byMix,
      timeOf(choices, () => choose(mixed, choices)),
    )
    best.conversation = Math.min(
      best.conversation,
      timeOf(choices, () => choose(plain, choices, each)),
    )
    best.conversationByMix = Math.min(
      best.conversationByMix,
      timeOf(choices, () => choose(mixed, choices, each)),
    )
  }
  const anew = Array.from({ length: fewChoices }, () => {
    measureSpeeds()
    health.standings.speeds.record(modelName(1, 'm'), { startMs: 1, tokens: 0, tokenMs: 0 })
    return timeOf(1, () => choose(mixed, 1))
  })
  const firstOf = (next: () => BuiltCatalog) =>
    Math.min(
      ...Array.from({ length: rounds }, () => {
        const swapped = next()
        return timeOf(1, () => choose(swapped, 1))
      }),
    )
  const rules = [mix]
  return {
    channels,
    ...best,
    scoredAnew: Math.min(...anew),
    afterEdit: firstOf(() => siteOf(ids, rules, mixed)),
    afterPrices: firstOf(() => ({
      ...mixed,
      catalog: { ...mixed.catalog, prices: mixed.catalog.prices.withBook(bookOf(ids, mixed)) },
    })),
  }
}

const mix = { model: '*', strategy: 'mix', cost: 1, speed: 1, load: 1 } as const

const query = question({ random: { number: () => Math.random(), bytes: (length) => new Uint8Array(length) } })

/** Returns the microseconds of each. */
function timeOf(times: number, work: () => void): number {
  const began = performance.now()
  work()
  return ((performance.now() - began) * 1000) / times
}

/** A site whose channels all serve one model, each at a cost of its own. */
const siteOf = (
  ids: readonly number[],
  rules: OptionValues['RoutingStrategies'],
  previous?: BuiltCatalog,
): BuiltCatalog =>
  buildCatalog(
    {
      revision: 1,
      rows: ids.map((id) => aCatalogRow({ id, key_sealed: `sk-${id}`, models: 'm', group: 'default', weight: id % 5 })),
      options: { ...defaultOptions, RoutingStrategies: rules },
      open: (sealed) => sealed,
      book: previous?.catalog.prices.book ?? bookOf(ids),
      report: () => {},
    },
    previous,
  )

const bookOf = (ids: readonly number[], previous?: BuiltCatalog): PriceBook =>
  new PriceBook(
    ids.map((id) => ({
      channel_id: id,
      model: 'm',
      entry: JSON.stringify({ prices: { input: 1 + (id % 89) / 100, output: 4 } }),
    })),
    previous?.catalog.prices.book,
  )
