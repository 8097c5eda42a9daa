import type { PriceEntry } from '@tollgate/models'

import type { Candidate, Catalog, Channel, PriorityLevel } from '../catalog/catalog'
import type { Prices } from '../../billing/pricing/prices'
import type { Clock } from '../../platform/time/clock'
import { modelName } from '../catalog/channel-keys'
import type { Weighing } from '../routing/weights'
import { referenceCost } from './reference-cost'
import { strategyOf, type Strategy } from './rule-of'
import { spanOf, Speeds, type Speed, type SpeedReport } from './speeds'
import { costMerits, speedMerits, weighingOf, type Merits } from './standing'

/** How the candidates of a priority level stand under its strategy. All lists are in their order. */
export interface Standing {
  readonly strategy: Strategy
  readonly indexes: ReadonlyMap<Candidate, number>
  /** The names of the candidates' speeds. */
  readonly names: readonly string[]
  readonly costs: readonly (number | null)[]
  readonly speeds: readonly (Speed | null)[]
  readonly merits: Merits
  /** For calls that may go anywhere. */
  readonly weighing: Weighing
  /** For conversations: as it was when the span began. */
  readonly settled: Weighing
}

interface CachedStanding {
  readonly prices: Prices
  readonly period: number
  /** Null: by weight. */
  readonly standing: Standing | null
}

/** What the reference call for a model costs at a channel, while none of these changes. A book keeps the entries that it does not change. */
interface CachedCost {
  readonly model: string
  readonly own: PriceEntry | null
  readonly factor: number | null
  readonly sale: PriceEntry | null
  readonly rate: number
  readonly span: number
  readonly cost: number | null
}

/** How candidates stand under the strategies of the catalog, computed anew as often as the figures change: at most every five seconds. */
export class Standings {
  readonly speeds: Speeds
  readonly #cached = new WeakMap<PriorityLevel, CachedStanding>()
  /** A channel that did not change is the same object in the next snapshot. */
  readonly #costs = new WeakMap<Channel, CachedCost[]>()

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    publish: (report: SpeedReport) => void,
  ) {
    this.speeds = new Speeds(clock, publish)
  }

  /** Returns the standing of a level of this group and model; null: its candidates are drawn by weight. */
  of(catalog: Catalog, group: string, model: string, level: PriorityLevel): Standing | null {
    const { prices, options } = catalog
    const { period } = this.speeds
    const cached = this.#cached.get(level)
    if (cached?.prices === prices && (cached.standing === null || cached.period === period)) return cached.standing
    const before = cached?.standing ?? null
    const strategy = cached ? (before?.strategy ?? null) : strategyOf(options.RoutingStrategies, group, model)
    const isSame = cached?.prices === prices && spanOf(cached.period) === spanOf(period)
    const standing = strategy && this.#compute(level, strategy, { catalog, before, isSame, period })
    this.#cached.set(level, { prices, period, standing })
    return standing
  }

  #compute(level: PriorityLevel, strategy: Strategy, { catalog, before, isSame, period }: Terms): Standing {
    if (before && isSame && strategy.speed === 0) return before
    const { candidates } = level
    const span = spanOf(period)
    const names = before?.names ?? candidates.map(({ channel, model }) => modelName(channel.id, model))
    const indexes = before?.indexes ?? new Map(candidates.map((candidate, index) => [candidate, index]))
    const costs =
      before && isSame ? before.costs : candidates.map((candidate) => this.#costOf(candidate, catalog, span))
    const cost = before && isSame ? before.merits.cost : costMerits(costs)
    const speeds = names.map((name) => this.speeds.current(name))
    const merits = { cost, speed: speedMerits(speeds) }
    const weighing = weighingOf(level, merits, strategy)
    const settle = () =>
      weighingOf(
        level,
        { cost, speed: speedMerits(names.map((name) => this.speeds.findSettled(name, span))) },
        strategy,
      )
    const settled =
      strategy.speed === 0 ? weighing : before && isSame && isAsKnown(before.speeds, speeds) ? before.settled : settle()
    return { strategy, indexes, names, costs, speeds, merits, weighing, settled }
  }

  #costOf(candidate: Candidate, { prices, options }: Catalog, span: number): number | null {
    const { channel, model } = candidate
    const { book } = prices
    const upstreamModel = channel.modelMapping.get(model) ?? model
    const own = book.cost(channel.id, model) ?? book.cost(channel.id, upstreamModel)
    const sale = book.own(model) ?? book.own(upstreamModel)
    const factor = book.factor(channel.id)
    const rate = options.ListPriceYuanRate * options.QuotaPerUnit
    const cached = this.#costs.get(channel) ?? []
    const known = cached.find((one) => one.model === model)
    if (
      known?.own === own &&
      known.sale === sale &&
      known.factor === factor &&
      known.rate === rate &&
      known.span === span
    )
      return known.cost
    const cost = referenceCost(candidate, prices, this.clock.now())
    this.#costs.set(channel, [...cached.filter((one) => one !== known), { model, own, sale, factor, rate, span, cost }])
    return cost
  }
}

interface Terms {
  readonly catalog: Catalog
  readonly before: Standing | null
  /** Prices and span are those of before. */
  readonly isSame: boolean
  readonly period: number
}

/** Returns whether no speed has become known. */
const isAsKnown = (before: Standing['speeds'], speeds: Standing['speeds']): boolean =>
  speeds.every((speed, index) => (speed === null) === (before[index] === null))
