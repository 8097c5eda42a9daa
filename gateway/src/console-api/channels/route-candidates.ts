import { channelRoutes, channelStatus } from '@tollgate/contract'

import type { Catalog, Channel, PriorityLevel } from '../../channels/catalog/catalog'
import type { Lesson } from '../../channels/calls/requested-call'
import { condition, type Health } from '../../channels/health/health'
import type { HealthReading } from '../../channels/health/health-reading'
import { keyName, modelName } from '../../channels/catalog/channel-keys'
import { capOf } from '../../channels/slots/slots'
import type { Context } from '../../context'
import type { Language } from '../../http/language'
import { parsedJson } from '../../platform/text/parsed-json'
import { shownText } from '../../platform/locales/sentence'
import { outlooksOf, type Outlook } from '../../channels/routing/outlook'
import { priorityLevelsOf } from '../../channels/routing/priority-levels'
import { strategyShares } from '../../channels/routing/strategy-shares'
import { shareOf } from '../../channels/routing/weights'
import { scoreOf } from '../../channels/strategies/standing'
import type { Standing } from '../../channels/strategies/standings'
import type { ChannelWindow } from './full-windows'
import { sampleRequest } from './sample-request'

interface RouteQuery {
  readonly group: string
  /** As the caller names it. */
  readonly model: string
  readonly acceptsUnpriced: boolean
}

/** The caller's group decides prices; costs are for those who have the right to them. */
interface Reader {
  readonly userGroup: string
  readonly mayReadCosts: boolean
}

type Reason = channelRoutes.RouteReason

const reason = (code: Reason['code'], detail = '', secondsLeft = 0): Reason => ({
  code,
  detail,
  seconds_left: Math.round(secondsLeft),
})

interface Surroundings {
  readonly catalog: Catalog
  readonly health: Health
  /** By channel. */
  readonly fullWindows: ReadonlyMap<number, ChannelWindow>
}

/** Returns the priority levels for a model, with the current reasons against each channel. */
export function explainCandidates(
  { catalog, health, fullWindows }: Surroundings,
  { group, model, userGroup, acceptsUnpriced, mayReadCosts }: RouteQuery & Reader,
): channelRoutes.RouteExplanation['tiers'] {
  const levels = priorityLevelsOf(catalog, group, model)
  const prices = catalog.prices
  const hasPrice = ({ channel, model: bare }: Outlook['candidate']) =>
    prices.priceOf(bare, {
      group,
      userGroup,
      acceptsUnpriced,
      upstreamModel: channel.modelMapping.get(bare),
      isOwnMachine: channel.provider.isFree === true,
    }) !== null
  const standingOf = (level: PriorityLevel) => health.standings.of(catalog, group, model, level)
  const isAskable = (candidate: Outlook['candidate']) => hasPrice(candidate) && !fullWindows.has(candidate.channel.id)
  const outlooks = outlooksOf(levels, health, isAskable, standingOf)
  const reading = health.read(levels.flatMap(({ candidates }) => candidates.map(({ channel }) => channel.id)))
  const inFlight = new Map(reading.calls.map(({ channel, inside }) => [channel, inside]))
  const times = timesOf(reading)
  return levels.map((level, index) => {
    const standing = standingOf(level)
    const shares = standing && strategyShares(level.candidates, standing, health.slots)
    return {
      priority: level.priority,
      strategy: standing?.strategy ?? null,
      channels: (outlooks[index] ?? []).map((outlook, at) => {
        const { channel, weight, model: bare } = outlook.candidate
        const lesson = health.lessons.get(modelName(channel.id, bare))
        return {
          id: channel.id,
          name: channel.name,
          type: channel.provider.type,
          weight,
          share: shares?.get(outlook.candidate) ?? shareOf(outlook.candidate, level),
          share_now: outlook.share,
          is_healthy: !health.isFailing(channel, bare),
          state: stateNames[outlook.condition],
          in_flight: inFlight.get(channel.id) ?? 0,
          limit: capOf(channel),
          upstream_model: channel.modelMapping.get(bare) ?? bare,
          sample: sampleRequest(outlook.candidate, catalog, lesson),
          learned: lessonFactsOf(lesson),
          score: standing && scoreAt(standing, at, { room: health.slots.roomAt(channel), mayReadCosts }),
          reasons: reasonsAgainst(outlook, {
            health,
            times,
            hasPrice: hasPrice(outlook.candidate),
            fullWindow: fullWindows.get(channel.id),
          }),
        }
      }),
    }
  })
}

function scoreAt(
  { strategy, merits, costs, speeds }: Standing,
  index: number,
  { room, mayReadCosts }: { readonly room: number; readonly mayReadCosts: boolean },
): channelRoutes.RouteScore {
  const { startMs = null, tokenMs = null } = speeds[index] ?? {}
  return {
    score: scoreOf(merits, index, room, strategy),
    cost: merits.cost[index] ?? 1,
    speed: merits.speed[index] ?? 1,
    room,
    reference_cost: mayReadCosts ? (costs[index] ?? null) : null,
    first_token_ms: startMs === null ? null : Math.round(startMs),
    tokens_per_second: tokenMs === null || tokenMs === 0 ? null : 1000 / tokenMs,
  }
}

function lessonFactsOf({ hasResponses, onlyStreams }: Lesson = {}): channelRoutes.RouteCandidate['learned'] {
  const found: channelRoutes.RouteCandidate['learned'] = []
  if (hasResponses !== undefined) found.push(hasResponses ? 'responses' : 'no_responses')
  if (onlyStreams) found.push('only_streams')
  return found
}

const stateNames = [
  'steady',
  'suspect',
  'ready',
  'open',
  'resting',
] as const satisfies readonly channelRoutes.LiveState[]

/** Seconds until a channel, model or key is tried again, by its scope and name. */
type Times = ReadonlyMap<string, number>

const timesOf = ({ breakers, cooldowns }: HealthReading): Times =>
  new Map([
    ...breakers.map(({ of, name, msLeft }) => [`${of} ${name}`, msLeft / 1000] as const),
    ...cooldowns.map(({ key, seconds }) => [`key ${key}`, seconds] as const),
  ])

interface Known {
  readonly health: Health
  readonly times: Times
  readonly hasPrice: boolean
  readonly fullWindow: ChannelWindow | undefined
}

function reasonsAgainst({ candidate, isFree, hasRoom }: Outlook, known: Known): Reason[] {
  const { health, times, hasPrice, fullWindow } = known
  const { channel, model } = candidate
  const found: Reason[] = []
  const usable = channel.keys.filter(({ isEnabled }) => isEnabled)
  if (usable.length === 0) found.push(reason('keys_disabled'))
  if (!hasPrice) found.push(reason('unpriced'))
  const [whole, ofModel] = [times.get(`channel ${channel.id}`), times.get(`model ${channel.id}/${model}`)]
  if (whole !== undefined && health.isFailing({ id: channel.id, keys: [] })) found.push(reason('breaker', '', whole))
  else if (ofModel !== undefined && health.conditionOf(channel.id, model) >= condition.ready)
    found.push(reason('model_breaker', '', ofModel))
  const names = usable.map((key) => keyName(channel, key))
  if (names.length > 0 && names.every((name) => health.keyConditionOf(name) >= condition.ready))
    found.push(reason('keys_resting', '', Math.min(...names.map((name) => times.get(`key ${name}`) ?? 0))))
  if (fullWindow) found.push(reason('window_full', fullWindow.name, fullWindow.secondsLeft))
  if (!isFree) found.push(reason(hasRoom ? 'full' : 'line_full'))
  return found
}

/** Resolves with the channels that are not candidates, and why: those that list the model first, then by the number of reasons. */
export async function outsidersOf(
  ctx: Pick<Context, 'catalog' | 'database'>,
  routeQuery: RouteQuery,
  candidates: ReadonlySet<number>,
  language: Language,
): Promise<channelRoutes.ExcludedChannel[]> {
  const channels = [...ctx.catalog.current.channels.values()].filter(({ id }) => !candidates.has(id))
  const why = await storedReasons(ctx, channels, language)
  return channels
    .map((channel) => ({
      id: channel.id,
      name: channel.name,
      type: channel.provider.type,
      weight: channel.weight,
      priority: channel.priority,
      reasons: reasonsOutside(channel, routeQuery, why.get(channel.id) ?? ''),
    }))
    .sort(
      (one, other) =>
        missing(one.reasons) - missing(other.reasons) || other.priority - one.priority || other.id - one.id,
    )
}

/** Returns the rank of a channel by its reasons. Those without the model come last. */
const missing = (reasons: readonly Reason[]): number =>
  reasons.length + (reasons.some(({ code }) => code === 'model' || code === 'prefix') ? 100 : 0)

function reasonsOutside(channel: Channel, { group, model }: RouteQuery, stored: string): Reason[] {
  const found: Reason[] = []
  if (channel.status === channelStatus.autoDisabled) found.push(reason('auto_disabled', stored))
  else if (!channel.isEnabled) found.push(reason('disabled'))
  if (!channel.groups.includes(group)) found.push(reason('group'))
  const { modelPrefix: prefix } = channel
  const bare = prefix !== '' && model.startsWith(prefix) ? model.slice(prefix.length) : model
  if (!channel.models.includes(bare)) found.push(reason('model'))
  else if (prefix !== '' && bare === model) found.push(reason('prefix', prefix))
  return found
}

/** Resolves with the stored reasons of channels that were disabled after an error. */
async function storedReasons(
  { database }: Pick<Context, 'database'>,
  channels: readonly Channel[],
  language: Language,
): Promise<ReadonlyMap<number, string>> {
  if (!channels.some(({ status }) => status === channelStatus.autoDisabled)) return new Map()
  const rows = await database.query
    .selectFrom('channels')
    .where('status', '=', channelStatus.autoDisabled)
    .select(['id', 'other_info'])
    .execute()
  return new Map(
    rows.map(({ id, other_info }) => {
      const info = channelRoutes.ChannelInfo.safeParse(parsedJson(other_info)).data
      return [id, info?.status_reason ? shownText(info.status_reason, language) : '']
    }),
  )
}
