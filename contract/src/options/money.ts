import * as z from 'zod'

import { refusal } from '../phrases'
import { json, Ratio, table, tableOf, type Table } from './json'
import { decimal, flag, secret, text, whole } from './option'
import { webAddress } from './texts'

const ratios = tableOf(Ratio)
const noRatios: Table<number> = table({})
const usualTiers = table({
  priority: 2,
  'priority:gpt-5.5': 2.5,
  fast: 2,
  'fast:claude-opus-4-6': 6,
  'fast:claude-opus-4-7': 6,
  ultrafast: 6,
  flex: 0.5,
})
const threeGroups = table({ default: 1, vip: 1, svip: 1 })

/** Balances, rewards, payment, groups and prices. */
export const moneyOptions = {
  QuotaPerUnit: decimal('quota', 500_000, { above: 0, isPublic: true }),
  QuotaForNewUser: whole('quota', 0),
  /** Prompt tokens: what a call holds at least when its output has no limit. */
  PreConsumedQuota: whole('quota', 500),
  /** Output tokens that a model is held for when neither the caller nor the model catalog limits them. */
  AssumedOutputTokens: whole('quota', 16_384, { min: 1, max: 1_000_000_000 }),
  /** A balance that cannot pay the largest answer gets a shorter one, where the caller set no limit; else the call is refused. */
  LowerMaxTokensEnabled: flag('quota', true),
  QuotaRemindThreshold: whole('quota', 1000),
  DisplayInCurrencyEnabled: flag('quota', true, { isPublic: true }),
  DisplayTokenStatEnabled: flag('quota', true),

  AffEnabled: flag('invitation', true, { isPublic: true }),
  QuotaForInviter: whole('invitation', 0),
  QuotaForInvitee: whole('invitation', 0),

  CheckInEnabled: flag('check-in', false, { isPublic: true }),
  CheckInQuota: whole('check-in', 1000),
  CheckInMaxQuota: whole('check-in', 0),

  PayAddress: webAddress('payment'),
  EpayId: text('payment', '', { max: 255 }),
  EpayKey: secret('payment'),
  /** Yuan for one US dollar. */
  Price: decimal('payment', 7.3, { isPublic: true }),
  MinTopUp: whole('payment', 1, { min: 1, isPublic: true }),
  TopupGroupRatio: json('payment', threeGroups, ratios),
  CustomCallbackAddress: webAddress('payment'),

  /** Also the list of groups. */
  GroupRatio: json(
    'groups',
    threeGroups,
    ratios.refine((groups) => Object.keys(groups).length > 0, refusal('reason.no_groups')),
  ),
  /** Group -> description: what every user may choose. */
  UserUsableGroups: json('groups', table({ default: '默认分组', vip: 'vip分组' }), tableOf(z.string().max(255))),
  /** Group of the user -> group in use -> the ratio that replaces the latter's. */
  GroupGroupRatio: json<Table<Table<number>>>('groups', table({}), tableOf(ratios)),

  // The built-in tables of prices apply; what stands here overrides them by model.
  ModelRatio: json('prices', noRatios, ratios),
  /** US dollars for one call. */
  ModelPrice: json('prices', noRatios, ratios),
  CompletionRatio: json('prices', noRatios, ratios),
  CacheRatio: json('prices', noRatios, ratios),
  CreateCacheRatio: json('prices', noRatios, ratios),
  ImageRatio: json('prices', noRatios, ratios),
  AudioRatio: json('prices', noRatios, ratios),
  AudioCompletionRatio: json('prices', noRatios, ratios),
  /**
   * Service tier -> factor on everything a call costs; `tier:model` for one model. A tier that is not here is not passed on.
   * https://openai.com/api/pricing, https://platform.claude.com/docs/en/about-claude/pricing
   */
  ServiceTierRatio: json('prices', usualTiers, ratios),
  /** US dollars for a thousand calls of a built-in tool. */
  ToolPrice: json('prices', noRatios, ratios),
}
