import { defaultOptions, type RoutingRule } from '@tollgate/contract'

import { PriceBook } from '../src/billing/pricing/price-book'
import { Prices } from '../src/billing/pricing/prices'
import type { Catalog } from '../src/channels/catalog/catalog'
import { condition, Health } from '../src/channels/health/health'
import { plan, type RouteQuestion } from '../src/channels/routing/plan'
import { sessionOf } from '../src/channels/routing/session'
import { createClock } from '../src/platform/time/clock'
import { modelName } from '../src/channels/catalog/channel-keys'
import { priorityLevelsOf } from '../src/channels/routing/priority-levels'
import { aCatalog, aChannel, failure, question } from './routes'
import { FakeTime } from './fake-time'

/** What a strategy made of the calls of a simulated site. */
export interface StrategyResult {
  /** The mean of what the strategy minds: quota, milliseconds, the part of slots taken, or their mix; and that of the best channel alone. */
  readonly mean: number
  readonly bestFixed: number
  /** The smallest part of the calls that a channel got. */
  readonly minShare: number
  /** How often another channel became the one with the largest weight, an hour. */
  readonly leadsPerHour: number
  /** The part of turns of conversations that went to another channel than the turn before, without a failure. */
  readonly moved: number
  readonly failedAttempts: number
}

const channelCount = 10
const workerCount = 2
const callsPerSecond = 20
const cap = 400
const conversationCount = 400

/** Small and good enough: mulberry32. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A channel whose speed drifts, whose price changes now and then, and which fails for some seconds at times. */
interface Upstream {
  readonly id: number
  readonly usualStartMs: number
  readonly usualTokenMs: number
  /** In dollars for a million tokens. */
  price: number
  /** How much slower than usual it is, and its logarithm. */
  slowness: number
  drift: number
  failingUntil: number
}

/** Simulates calls to ten channels through two workers, a third of them turns of conversations. The clock is not a real one; the same seed gives the same result. */
export function simulateStrategy(rule: RoutingRule, calls: number, seed: number): StrategyResult {
  const site = new Site(rule, seed)
  for (let call = 0; call < calls; call += 1) site.call()
  return site.result(calls)
}

class Site {
  /** The world, the calls and the choices have numbers of their own: what a strategy chooses changes nothing for others. */
  readonly #world: () => number
  readonly #calls: () => number
  readonly #choices: () => number
  readonly #time = new Stopwatch()
  readonly #upstreams: readonly Upstream[]
  readonly #workers: readonly Health[]
  #catalog: Catalog
  #running: Running[] = []
  #firstEnd = Infinity
  #nextDrift = 0
  readonly #sums = Array.from({ length: channelCount }, () => 0)
  #sum = 0
  readonly #counts = Array.from({ length: channelCount }, () => 0)
  readonly #homes = new Map<number, number>()
  #turns = 0
  #moves = 0
  #failed = 0
  #leader = 0
  #leads = 0
  #nextLook = 0

  constructor(
    private readonly rule: RoutingRule,
    seed: number,
  ) {
    this.#world = seededNumbers(seed)
    this.#calls = seededNumbers(seed + 1_000)
    this.#choices = seededNumbers(seed + 2_000)
    this.#upstreams = Array.from({ length: channelCount }, (_, index) => ({
      id: index + 1,
      usualStartMs: 300 + 900 * this.#world(),
      usualTokenMs: 8 + 20 * this.#world(),
      price: 1 + 2 * this.#world(),
      slowness: 1,
      drift: 0,
      failingUntil: 0,
    }))
    const timers = new FakeTime(0).timers
    this.#workers = Array.from({ length: workerCount }, (_, own) => {
      const publish = (news: Parameters<Health['receive']>[0]) => {
        for (const [other, health] of this.#workers.entries()) if (other !== own) health.receive(news)
      }
      return new Health({ clock: this.#time.clock, timers, publish })
    })
    this.#catalog = this.#newCatalog()
  }

  call(): void {
    this.#time.ms += -Math.log(1 - this.#calls()) * (1000 / callsPerSecond)
    if (this.#time.ms >= this.#nextDrift) this.#drift()
    this.#end()
    const health = this.#workers[Math.floor(this.#calls() * workerCount)]
    if (!health) return
    const conversation = this.#calls() < 1 / 3 ? Math.floor(this.#calls() * conversationCount) : null
    this.#compareFixed()
    this.#serve(health, conversation)
    if (this.#time.ms >= this.#nextLook) this.#lookForLeader(health)
  }

  result(calls: number): StrategyResult {
    const hours = this.#time.ms / 3_600_000
    return {
      mean: this.#sum / calls,
      bestFixed: Math.min(...this.#sums) / calls,
      minShare: Math.min(...this.#counts) / calls,
      leadsPerHour: this.#leads / hours,
      moved: this.#moves / this.#turns,
      failedAttempts: this.#failed,
    }
  }

  #serve(health: Health, conversation: number | null): void {
    const excluded = { channels: new Set<number>(), keys: new Set<string>() }
    let wasted = 0
    for (let attempt = 0; attempt <= channelCount; attempt += 1) {
      const choice = plan(this.#catalog, this.#question(health, conversation, excluded))
      const upstream = choice && this.#upstreams[choice.channel.id - 1]
      if (!choice || !upstream) return
      const room = health.slots.roomAt(choice.channel)
      const slot = health.slots.enterNow(choice.channel)
      const reporter = health.begin(choice)
      const name = modelName(upstream.id, choice.model)
      if (this.#time.ms < upstream.failingUntil || this.#choices() < 0.005) {
        const tookMs = 200
        reporter.recordFailure({ ...failure, tookMs })
        health.standings.speeds.recordFailure(name, tookMs)
        slot?.release()
        wasted += tookMs
        this.#failed += 1
        excluded.channels.add(upstream.id)
        continue
      }
      const startMs = this.#startMs(upstream) * this.#noise(0.5)
      const tokens = Math.ceil(300 * this.#noise(0.8))
      const tokenMs = tokens * this.#tokenMs(upstream) * this.#noise(0.2)
      this.#firstEnd = Math.min(this.#firstEnd, this.#time.ms + startMs + tokenMs)
      this.#running.push({
        at: this.#time.ms + startMs + tokenMs,
        end() {
          slot?.release()
          reporter.recordSuccess()
          health.standings.speeds.record(name, { startMs, tokens, tokenMs })
        },
      })
      this.#counts[upstream.id - 1] = (this.#counts[upstream.id - 1] ?? 0) + 1
      this.#sum += this.#purposeOf(upstream, wasted, 1 - room)
      if (conversation !== null) this.#followConversation(conversation, upstream.id, health, excluded.channels)
      return
    }
  }

  /** A conversation whose channel fails is elsewhere for a while, and comes back. */
  #followConversation(conversation: number, id: number, health: Health, failed: ReadonlySet<number>): void {
    const home = this.#homes.get(conversation)
    const isAway = home !== undefined && (failed.has(home) || health.conditionOf(home, 'm') > condition.suspect)
    if (isAway) return
    this.#homes.set(conversation, id)
    if (home === undefined) return
    this.#turns += 1
    if (home !== id) this.#moves += 1
  }

  /** What a call costs the strategy's purpose at a channel. */
  #purposeOf(upstream: Upstream, wastedMs: number, taken: number): number {
    const { strategy, cost = 0, speed = 0 } = this.rule
    const ms = wastedMs + this.#startMs(upstream) + 300 * this.#tokenMs(upstream)
    const quota = upstream.price
    if (strategy === 'cheapest') return quota
    if (strategy === 'fastest') return ms
    if (strategy === 'least_busy') return taken
    return quota ** (cost / (cost + speed)) * ms ** (speed / (cost + speed))
  }

  /** Every channel alone, as if it never failed and its calls were all it had. */
  #compareFixed(): void {
    const taken = this.#running.length / (cap * workerCount)
    for (const [index, upstream] of this.#upstreams.entries())
      this.#sums[index] = (this.#sums[index] ?? 0) + this.#purposeOf(upstream, 0, taken)
  }

  #question(health: Health, conversation: number | null, excluded: RouteQuestion['excluded']): RouteQuestion {
    return {
      ...base,
      health,
      excluded,
      isRetry: excluded.channels.size > 0,
      random: { ...base.random, number: this.#choices },
      sessionOf: () => (conversation === null ? null : sessionOf(1, `conversation ${conversation}`)),
    }
  }

  #lookForLeader(health: Health): void {
    this.#nextLook = this.#time.ms + 5_000
    const [level] = priorityLevelsOf(this.#catalog, 'default', 'm')
    const weights = level && health.standings.of(this.#catalog, 'default', 'm', level)?.weighing.weights
    if (!weights) return
    const leader = weights.indexOf(Math.max(...weights))
    if (leader !== this.#leader) this.#leads += 1
    this.#leader = leader
  }

  /** Each ten seconds. */
  #drift(): void {
    this.#nextDrift += 10_000
    let isRepriced = false
    for (const upstream of this.#upstreams) {
      upstream.drift = upstream.drift * 0.9995 + 0.008 * gaussOf(this.#world)
      upstream.slowness = Math.exp(upstream.drift)
      if (this.#world() < 0.002) upstream.failingUntil = this.#time.ms + 10_000 + 50_000 * this.#world()
      if (this.#world() < 0.002) {
        upstream.price = Math.min(Math.max(upstream.price * (0.7 + 0.6 * this.#world()), 0.8), 4)
        isRepriced = true
      }
    }
    if (isRepriced) this.#catalog = this.#newCatalog()
  }

  #end(): void {
    if (this.#time.ms < this.#firstEnd) return
    const over = this.#running.filter(({ at }) => at <= this.#time.ms)
    this.#running = this.#running.filter(({ at }) => at > this.#time.ms)
    this.#firstEnd = Math.min(...this.#running.map(({ at }) => at))
    for (const { end } of over) end()
  }

  #newCatalog(): Catalog {
    const channels = this.#upstreams.map(({ id }) => aChannel(id, { setting: { max_concurrency: cap } }))
    const catalog = aCatalog(channels)
    const book = new PriceBook(
      this.#upstreams.map(({ id, price }) => ({
        channel_id: id,
        model: 'm',
        entry: JSON.stringify({ prices: { input: price, output: price } }),
      })),
    )
    const options = { ...defaultOptions, RoutingStrategies: [this.rule] }
    return { ...catalog, options, prices: new Prices({ options, book, channels: catalog.channels }) }
  }

  #startMs = ({ usualStartMs, slowness }: Upstream): number => usualStartMs * slowness
  #tokenMs = ({ usualTokenMs, slowness }: Upstream): number => usualTokenMs * slowness

  /** Around 1 with this deviation. */
  #noise(deviation: number): number {
    return Math.exp(deviation * gaussOf(this.#choices) - deviation ** 2 / 2)
  }
}

const gaussOf = (number: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - number())) * Math.cos(2 * Math.PI * number())

const base = question()

interface Running {
  readonly at: number
  readonly end: () => void
}

class Stopwatch {
  ms = 0
  readonly clock = createClock(() => this.ms)
}
