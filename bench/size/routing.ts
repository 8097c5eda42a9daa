import { defaultOptions } from '@tollgate/contract'

import { createClock } from '../../gateway/src/platform/time/clock'
import { emptyPriceBook } from '../../gateway/src/billing/pricing/price-book'
import { buildCatalog, type BuiltCatalog, type CatalogSource } from '../../gateway/src/channels/catalog/build-catalog'
import type { CatalogRow } from '../../gateway/src/channels/catalog/read-channel'
import { Health } from '../../gateway/src/channels/health/health'
import { KeyTurns } from '../../gateway/src/channels/routing/keys'
import { plan } from '../../gateway/src/channels/routing/plan'
import { aCatalogRow } from '../../gateway/test/rows'
import { systemTimers } from '../../gateway/src/platform/time/timers'

/** What a catalog of a given number of channels costs. */
export interface RoutingCost {
  readonly channels: number
  /** Milliseconds to build the first snapshot, and the next one after an edit of one channel. */
  readonly build: number
  readonly swap: number
  /** Microseconds to choose a channel for a model that was asked for before, and for one that was not since the swap. */
  readonly choose: number
  readonly chooseFirst: number
  /** Microseconds when the breakers of all channels are open. */
  readonly chooseInOutage: number
}

const rounds = 5
const models = 500
const modelsOfChannel = 20
/** Chosen in one measurement. */
const often = { choose: 100_000, inOutage: 100 }

/** Measures sites that differ in the number of channels: the more there are, the more serve a model. */
export function measureRouting(): RoutingCost[] {
  // Until the code is compiled.
  costOf(200)
  return [20, 200, 2000].map(costOf)
}

function costOf(channels: number): RoutingCost {
  const rows = Array.from({ length: channels }, (_, index) => rowOf(index + 1))
  const built = buildCatalog(sourceOf(rows))
  const well = new Health({ clock, timers: systemTimers })
  const failing = new Health({ clock, timers: systemTimers })
  for (const { id } of rows) failAlways(failing, id)
  return {
    channels,
    build: bestOf(() => buildCatalog(sourceOf(rows))),
    swap: bestOf((round) => buildCatalog(sourceOf(withEdit(rows, round)), built)),
    choose: micro(often.choose, () => chooseFrom(built, well, often.choose)),
    chooseFirst: micro(models, () => chooseFrom(buildCatalog(sourceOf(rows), built), well, models)),
    chooseInOutage: micro(often.inOutage, () => chooseFrom(built, failing, often.inOutage)),
  }
}

function failAlways(health: Health, id: number): void {
  const target = { channel: { id }, key: { fingerprint: 'k' }, model: 'm' }
  for (let failure = 0; failure < 100; failure += 1)
    health.begin(target).recordFailure({ scope: 'channel', weight: 1, tookMs: 0 })
}

/** No time passes, so an open breaker stays open. */
const clock = createClock(() => 0)
const random = { number: () => Math.random(), bytes: (length: number) => new Uint8Array(length) }
const empty = { channels: new Set<number>(), keys: new Set<string>() }

function chooseFrom({ catalog }: BuiltCatalog, health: Health, times: number): void {
  const keyTurns = new KeyTurns()
  for (let time = 0; time < times; time += 1) {
    const model = `model-${time % models}`
    plan(catalog, {
      group: 'default',
      model,
      mode: 'chat',
      promptTokens: 10,
      sessionOf: () => null,
      excluded: empty,
      isRetry: false,
      random,
      health,
      keyTurns,
    })
  }
}

/** The shortest of some, in milliseconds. */
function bestOf(work: (round: number) => void): number {
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    work(round)
    best = Math.min(best, performance.now() - began)
  }
  return best
}

const micro = (times: number, work: () => void): number => (bestOf(work) * 1000) / times

const sourceOf = (rows: readonly CatalogRow[]): CatalogSource => ({
  revision: 1,
  rows,
  options: defaultOptions,
  open: (sealed) => sealed,
  book: emptyPriceBook,
  report: () => {},
})

const withEdit = (rows: readonly CatalogRow[], round: number): CatalogRow[] =>
  rows.map((row, index) => (index === 0 ? { ...row, name: `edited ${round}` } : { ...row }))

/** As the filler makes them. */
const rowOf = (id: number): CatalogRow =>
  aCatalogRow({
    id,
    name: `channel ${id}`,
    key_sealed: `sk-${id}`,
    base_url: 'http://127.0.0.1:9',
    models: Array.from({ length: modelsOfChannel }, (_, at) => `model-${(id * 3 + at) % models}`).join(','),
    group: 'default,vip,svip',
    priority: id % 3,
    weight: id % 5,
  })
