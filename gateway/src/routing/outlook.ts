import type { Candidate, Tier } from '../catalog/catalog'
import { standing, type Health, type Standing } from '../channels/health'
import { bestStanding, hasUsableKey } from './keys'
import { drawWeight } from './weights'

/** How a candidate stands at this moment, without a call. */
export interface Outlook {
  readonly candidate: Candidate
  /** A key of it is enabled. */
  readonly isEligible: boolean
  /** Its worst side, with the best of its keys. */
  readonly standing: Standing
  readonly isFree: boolean
  readonly hasRoom: boolean
  /** The chance that the next first attempt goes there. */
  readonly share: number
}

type Judged = Omit<Outlook, 'share'>

const nothing = { channels: new Set<number>(), keys: new Set<string>() }

/**
 * How `plan` would choose for the first attempt of a call, as chances instead of one draw. Asking changes nothing.
 * `isAskable` leaves out what the call itself rules out.
 */
export function outlooksOf(
  tiers: readonly Tier[],
  health: Health,
  isAskable: (candidate: Candidate) => boolean = () => true,
): readonly (readonly Outlook[])[] {
  const judged = tiers.map(({ candidates }) => candidates.map((candidate) => judge(candidate, health, isAskable)))
  const chosen = firstChoices(judged)
  const total = chosen.reduce((sum, { candidate }) => sum + drawWeight(candidate), 0)
  const shareOf = (one: Judged) => (chosen.includes(one) ? drawWeight(one.candidate) / total : 0)
  return judged.map((tier) => tier.map((one) => ({ ...one, share: shareOf(one) })))
}

function judge(candidate: Candidate, health: Health, isAskable: (candidate: Candidate) => boolean): Judged {
  const { channel, model } = candidate
  const own = health.standingOf(channel.id, model)
  const keys = bestStanding(channel, nothing, health)
  return {
    candidate,
    isEligible: channel.isEnabled && hasUsableKey(channel, nothing) && isAskable(candidate),
    standing: own > keys ? own : keys,
    isFree: health.slots.isFree(channel),
    hasRoom: health.slots.hasRoom(channel),
  }
}

type Pass = (one: Judged) => boolean
const upTo =
  (lowest: Standing, isReady: Pass = () => true): Pass =>
  (one) =>
    one.standing <= lowest && isReady(one)
const isFree: Pass = (one) => one.isFree
const hasRoom: Pass = (one) => one.hasRoom

/** The order of `plan`: everything free and well first, then what is left, by who has room and who failed least. */
const passes: readonly Pass[] = [
  upTo(standing.ready, isFree),
  upTo(standing.ready, hasRoom),
  upTo(standing.open, hasRoom),
  upTo(standing.resting, hasRoom),
  upTo(standing.resting),
]

function firstChoices(tiers: readonly (readonly Judged[])[]): readonly Judged[] {
  for (const pass of passes) {
    for (const tier of tiers) {
      const found = tier.filter((one) => one.isEligible && pass(one))
      if (found.length > 0) return found
    }
  }
  return []
}
