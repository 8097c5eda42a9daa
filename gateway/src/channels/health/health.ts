import { hourMs, type channelRoutes } from '@tollgate/contract'

import type { Channel, ChannelKey } from '../catalog/catalog'
import type { Clock } from '../../platform/time/clock'
import type { Lesson } from '../calls/requested-call'
import { Breakers, type Breaker, type Weight } from './breaker'
import type { FailureScope, HealthNews, HealthReading } from './health-reading'
import { keyName, modelName } from '../catalog/channel-keys'
import { LastFailures } from './last-failures'
import { Cooldowns } from './cooldowns'
import { Remembered } from './remembered'
import { RetryBudget } from './retry-budget'
import { Slots } from '../slots/slots'
import { Standings } from '../strategies/standings'
import { WindowLines } from '../slots/window-lines'
import type { Timers } from '../../platform/time/timers'

/** How well something can be used, from best to not at all. */
export const condition = {
  /** Its latest call succeeded, or there was none. */
  steady: 0,
  /** Its latest call failed. */
  suspect: 1,
  /** It failed often; after its pause one call may probe it. */
  ready: 2,
  /** It failed often and is not called. */
  open: 3,
  /** Its upstream asked for a pause. */
  coolingDown: 4,
} as const
export type Condition = (typeof condition)[keyof typeof condition]

/** The destination of an attempt. */
interface AttemptTarget {
  readonly channel: Pick<Channel, 'id'>
  readonly key: Pick<ChannelKey, 'fingerprint'>
  /** As the channel lists it. */
  readonly model: string
}

interface Failure extends Weight {
  /** The narrowest scope to blame. A failure of a channel counts for the model too: it may be the only one that fails. */
  readonly scope: FailureScope
}

/** One attempt, from its choice to its outcome. Every attempt reports one. */
export interface OutcomeReporter {
  /** A breaker let it through to find out whether the channel works again: its caller does not pay for its failure. */
  readonly isProbe: boolean
  /** Nothing counted against the channel, the model or the key when it began. */
  readonly isSteady: boolean
  recordSuccess(): void
  recordFailure(failure: Failure): void
  /** Called when it ended without saying anything about the channel. */
  endedSilently(): void
}

interface Deps {
  readonly clock: Clock
  readonly timers: Timers
  /** Called with what other workers should know. */
  readonly publish?: (news: HealthNews) => void
}

/** What this worker knows about its channels. In memory; the database only knows what was disabled. */
export class Health {
  /** Bounds how many retries the gateway makes at channels that fail, so that an outage is not amplified. */
  readonly retries: RetryBudget
  /** Which keys are not used for a time, as their upstreams asked. */
  readonly cooldowns: Cooldowns
  /** Bounds the concurrent calls of a channel that has a cap. */
  readonly slots: Slots
  readonly windowLines: WindowLines
  /** How upstreams serve models of channels, as their refusals said, by the names that `modelName` gives. */
  readonly lessons: Remembered<Lesson>
  /** How channels stand under the site's routing strategies. */
  readonly standings: Standings
  /** The latest failure of each channel and key, for administrators. */
  readonly failures = new LastFailures()
  readonly #breakers: BreakersByScope
  readonly #publish: (news: HealthNews) => void

  constructor({ clock, timers, publish = () => {} }: Deps) {
    this.retries = new RetryBudget(clock)
    this.cooldowns = new Cooldowns(clock)
    this.slots = new Slots({ clock, timers })
    this.windowLines = new WindowLines({ clock, timers })
    this.lessons = new Remembered(clock, hourMs)
    this.standings = new Standings(clock, publish)
    this.#breakers = { channel: new Breakers(clock), model: new Breakers(clock), key: new Breakers(clock) }
    this.#publish = publish
  }

  /** Returns the condition of the channel for this model, without its keys. Read-only. */
  conditionOf(channelId: number, model: string): Condition {
    const own = this.#worst('channel', channelId)
    if (this.#breakers.model.isClear) return own
    return highest(own, this.#worst('model', modelName(channelId, model)))
  }

  keyConditionOf(name: string): Condition {
    return this.cooldowns.secondsLeft(name) > 0 ? condition.coolingDown : this.#worst('key', name)
  }

  /** No key failed lately and none is cooling down. */
  areKeysClear(): boolean {
    return this.#breakers.key.isClear && this.cooldowns.count === 0
  }

  /** Begins an attempt; if a breaker waits for a probe, this is the probe. */
  begin(target: AttemptTarget): OutcomeReporter {
    return new BreakerReporter(target, this.#breakers, this.#publish)
  }

  /** Returns whether calls avoid the channel, or this model there: its breaker is not closed, or those of all its keys. */
  isFailing(channel: Pick<Channel, 'id' | 'keys'>, model?: string): boolean {
    const isOut = (key: ChannelKey) => this.#worst('key', keyName(channel, key)) >= condition.ready
    if (this.#worst('channel', channel.id) >= condition.ready) return true
    if (model !== undefined && this.#worst('model', modelName(channel.id, model)) >= condition.ready) return true
    const enabled = channel.keys.filter(({ isEnabled }) => isEnabled)
    return !this.#breakers.key.isClear && enabled.length > 0 && enabled.every(isOut)
  }

  /** Returns what an administrator may see of these channels, as this worker knows it now. */
  read(channelIds: readonly number[]): HealthReading {
    const { cooldowns, slots, failures } = this
    return readHealth(new Set(channelIds), { breakers: this.#breakers, cooldowns, slots, failures })
  }

  /** Starts the cooldown of a key that its upstream asked for. */
  coolDown(name: string, seconds: number): void {
    this.cooldowns.start(name, seconds)
    this.#publish({ kind: 'cooldown', key: name, seconds })
  }

  /** Called with what another worker learned. */
  receive(news: HealthNews): void {
    if (news.kind === 'speeds') this.standings.speeds.receive(news)
    else if (news.kind === 'cooldown') this.cooldowns.start(news.key, news.seconds)
    else if (news.kind === 'opened') this.#breakers[news.of].of(nameIn(news)).openFor(news.pauseMs)
    else if (news.of === 'channel') this.#breakers.channel.find(nameIn(news))?.close()
    else this.#breakers[news.of].forget(news.name)
  }

  #worst(of: FailureScope, name: string | number): Condition {
    const breakers = this.#breakers[of]
    const state = breakers.stateOf(name)
    if (state !== 'closed') return condition[state]
    return breakers.isSuspect(name) ? condition.suspect : condition.steady
  }
}

type BreakersByScope = Readonly<Record<FailureScope, Breakers>>

interface Known {
  readonly breakers: BreakersByScope
  readonly cooldowns: Cooldowns
  readonly slots: Slots
  readonly failures: LastFailures
}

function readHealth(channelIds: ReadonlySet<number>, { breakers, cooldowns, slots, failures }: Known): HealthReading {
  /** All names begin with the id of the channel. */
  const isRequested = (name: string | number) => channelIds.has(Number.parseInt(String(name), 10))
  const pickRequested = <Value>(all: Iterable<readonly [string | number, Value]>) =>
    [...all].flatMap(([name, value]) => (isRequested(name) ? [{ name: String(name), value }] : []))
  const failuresOf = (of: 'channel' | 'key', all: ReadonlyMap<string | number, channelRoutes.ChannelFailure>) =>
    pickRequested(all).map(({ name, value }) => ({ of, name, failure: value }))
  return {
    calls: pickRequested(slots.listOccupied()).map(({ name, value }) => ({ channel: Number(name), ...value })),
    breakers: scopes.flatMap((of) =>
      pickRequested(breakers[of].notable()).map(({ name, value: { state, msLeft } }) => ({
        of,
        name,
        state: state === 'closed' ? ('suspect' as const) : state,
        msLeft,
      })),
    ),
    cooldowns: pickRequested(cooldowns.all()).map(({ name, value }) => ({ key: name, seconds: value })),
    failures: [...failuresOf('channel', failures.byChannel), ...failuresOf('key', failures.byKey)],
  }
}

const nameIn = ({ of, name }: Extract<HealthNews, { kind: 'opened' | 'closed' }>): string | number =>
  of === 'channel' ? Number(name) : name

const highest = (one: Condition, other: Condition): Condition => (one > other ? one : other)

const scopes = ['channel', 'model', 'key'] as const

class BreakerReporter implements OutcomeReporter {
  readonly isProbe: boolean
  readonly isSteady: boolean
  /** The breakers that this attempt probes. */
  #probed: Breaker[] = []

  constructor(
    private readonly target: AttemptTarget,
    private readonly breakers: BreakersByScope,
    private readonly publish: (news: HealthNews) => void,
  ) {
    let isSteady = true
    for (const scope of scopes) {
      const breaker = this.#findBreaker(scope)
      if (!breaker) continue
      if (breaker.isSuspect || breaker.state !== 'closed') isSteady = false
      if (breaker.state === 'ready') this.#probed.push(breaker)
    }
    for (const breaker of this.#probed) breaker.probe()
    this.isProbe = this.#probed.length > 0
    this.isSteady = isSteady
  }

  recordSuccess(): void {
    this.#probed = []
    for (const scope of scopes) {
      const breaker = scope === 'channel' ? this.breakers.channel.of(this.#name(scope)) : this.#findBreaker(scope)
      if (!breaker) continue
      if (breaker.recordSuccess()) this.publish({ kind: 'closed', of: scope, name: String(this.#name(scope)) })
      if (scope !== 'channel') this.breakers[scope].forget(this.#name(scope))
    }
  }

  recordFailure(failure: Failure): void {
    const probed = this.#probed
    this.#probed = []
    const blamed: readonly FailureScope[] = failure.scope === 'channel' ? ['channel', 'model'] : [failure.scope]
    const affectedBreakers = blamed.map((scope) => {
      const breaker = this.breakers[scope].of(this.#name(scope))
      const pauseMs = breaker.recordFailure(failure, probed.includes(breaker))
      if (pauseMs !== null) this.publish({ kind: 'opened', of: scope, name: String(this.#name(scope)), pauseMs })
      return breaker
    })
    for (const breaker of probed) if (!affectedBreakers.includes(breaker)) breaker.forgetProbe()
  }

  endedSilently(): void {
    for (const breaker of this.#probed) breaker.forgetProbe()
    this.#probed = []
  }

  #findBreaker(scope: FailureScope): Breaker | undefined {
    if (this.breakers[scope].isClear) return undefined
    return this.breakers[scope].find(this.#name(scope))
  }

  #name(scope: FailureScope): string | number {
    const { channel, model, key } = this.target
    if (scope === 'channel') return channel.id
    return scope === 'model' ? modelName(channel.id, model) : keyName(channel, key)
  }
}
