import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { asTable, json, numberTable, priceTable, ratios, table, tableOf, textTable, type Table } from './json'
import { choice, decimal, flag, secret, text, whole } from './option'
import { eachOnce, exactWebAddress, stripeCurrency, timeZone, webAddress } from './texts'

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

/** A way to pay through Epay. */
export interface PayMethod {
  readonly name: string
  /** The name used by the Epay service; `zfb` and `wx` stand for `alipay` and `wxpay`. */
  readonly type: string
  readonly color?: string
  readonly icon?: string
  /** US dollars. */
  readonly min_topup?: number
}

const usualPayMethods: readonly PayMethod[] = [
  { name: '支付宝', type: 'zfb', color: '#1677ff' },
  { name: '微信支付', type: 'wx', color: '#07c160' },
]

const payMethods = (): z.ZodType<readonly PayMethod[]> =>
  z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(64),
        type: z.string().regex(/^[\w-]{1,32}$/, refusal('reason.format')),
        color: z.string().max(64).optional(),
        icon: z.string().max(2048).optional(),
        min_topup: z.int().min(1).max(1e9).optional(),
      }),
    )
    .max(20)
    .check(eachOnce(({ type }) => type))

const discounts = () =>
  tableOf(z.number().gt(0).max(1)).refine(
    (table) => Object.keys(table).every((dollars) => /^[1-9]\d{0,8}$/.test(dollars)),
    refusal('reason.whole_number'),
  )

/** A bonus on top-ups from an amount up: a sum, or a share of what they credit. */
export interface TopUpBonus {
  /** US dollars. */
  readonly from: number
  readonly quota?: number
  readonly percent?: number
  /** Each user gets it once. */
  readonly once?: boolean
}

/** As much as one order may credit. */
const maxBonus = 1e15

const bonuses = (): z.ZodType<readonly TopUpBonus[]> =>
  z
    .array(
      z
        .strictObject({
          from: z.int().min(1).max(1e9),
          quota: z.int().min(1).max(maxBonus).optional(),
          percent: z.number().gt(0).max(100).optional(),
          once: z.boolean().optional(),
        })
        .refine(({ quota, percent }) => (quota === undefined) !== (percent === undefined), refusal('reason.one_bonus')),
    )
    .max(20)
    .check(
      eachOnce(({ from, once }) => (once ? `${from}, once` : String(from))),
      ascending,
    )

/** Refuses an amount that is smaller than the one before it, at its place. */
function ascending({ value, issues }: z.core.ParsePayload<readonly TopUpBonus[]>): void {
  const at = value.findIndex(({ from }, index) => from < (value[index - 1]?.from ?? 0))
  const input = value[at]
  if (input) issues.push({ code: 'custom', input, path: [at], message: refusal('reason.ascending') })
}

/** The address of a public list of prices; empty: not used. */
const listAddress = (initial: string) => ({ ...exactWebAddress('price-sync'), default: initial })

/** Balances, rewards, payment, groups and prices. */
export const moneyOptions = {
  QuotaPerUnit: decimal('money', 500_000, { above: 0, isPublic: true, grant: 'settings.secure' }),
  DisplayInCurrencyEnabled: flag('money', true, { isPublic: true }),
  DisplayTokenStatEnabled: flag('money', true),
  QuotaRemindThreshold: whole('balance-alerts', 1000, { unit: 'quota' }),

  QuotaForNewUser: whole('quota', 0, { unit: 'quota' }),
  /** Prompt tokens: what a call holds at least when its output has no limit. */
  PreConsumedQuota: whole('quota', 500, { unit: 'tokens' }),
  /** Output tokens to hold for a model when neither the caller nor the model catalog limits them. */
  AssumedOutputTokens: whole('quota', 16_384, { min: 1, max: 1_000_000_000, unit: 'tokens' }),
  /**
   * A balance that cannot pay for the largest response gets a shorter one, where the caller set no limit; otherwise the call is refused.
   */
  LowerMaxTokensEnabled: flag('quota', true),

  AffEnabled: flag('invitation', true, { isPublic: true }),
  QuotaForInviter: whole('invitation', 0, { unit: 'quota' }),
  QuotaForInvitee: whole('invitation', 0, { unit: 'quota' }),
  /** Invitations are rewarded once the invitee paid, or paid for a call; otherwise at once. */
  InvitationRewardAfterUse: flag('invitation', false),
  /** Rewarded invitations of one user per day; 0: any number. */
  InvitationDailyLimit: whole('invitation', 20),
  /** What an inviter gets of the quota that a top-up of an invitee credits; 0: nothing. */
  InvitationCommissionRate: decimal('invitation', 0, { max: 100, unit: 'percent' }),
  /** For how many days after the registration top-ups count; 0: always. */
  InvitationCommissionDays: whole('invitation', 0, { max: 36_500 }),
  /** Days from a top-up to the credit of its commission. */
  InvitationCommissionDelayDays: whole('invitation', 14, { max: 365 }),

  CheckInEnabled: flag('check-in', false, { isPublic: true }),
  CheckInQuota: whole('check-in', 1000, { unit: 'quota' }),
  CheckInMaxQuota: whole('check-in', 0, { unit: 'quota' }),
  /** Decides when a day begins and ends for all users. */
  SiteTimeZone: timeZone('check-in'),

  PayAddress: webAddress('epay'),
  EpayId: text('epay', '', { max: 255 }),
  EpayVersion: choice('epay', ['v1', 'v2']),
  /** The key of version 1. */
  EpayKey: secret('epay'),
  /** The private key of version 2, PEM or only its base64. */
  EpayPrivateKey: secret('epay'),
  /** The public key that version 2 signs with. */
  EpayPlatformKey: text('epay', '', { max: 4096 }),
  /** Payment methods offered through Epay. */
  PayMethods: asTable(json('epay', usualPayMethods, payMethods), 'method', 'method'),
  /** Yuan for one US dollar. */
  Price: decimal('epay', 7.3, { above: 0, isPublic: true }),
  MinTopUp: whole('epay', 1, { min: 1, isPublic: true, unit: 'usd' }),
  /** Amounts to choose from, in US dollars. */
  AmountOptions: asTable(
    json<readonly number[]>('payment', [10, 20, 50, 100, 200, 500], () => z.array(z.int().min(1).max(1e9)).max(20)),
    'amounts',
    'amount',
  ),
  /** Exactly these US dollars -> a factor on the price. */
  AmountDiscount: asTable(json('payment', noRatios, discounts), 'number', 'amount'),
  /** What top-ups bring beyond what they credit, by their amount. */
  TopUpBonuses: asTable(json<readonly TopUpBonus[]>('payment', [], bonuses), 'bonus', 'amount'),
  TopupGroupRatio: numberTable('payment', 'known-group', threeGroups),
  CustomCallbackAddress: webAddress('callback'),

  StripeApiSecret: secret('stripe'),
  /** Verifies webhooks; without it all are rejected. */
  StripeWebhookSecret: secret('stripe'),
  StripeCurrency: stripeCurrency('stripe'),
  /** The price of one US dollar of balance, in that currency. */
  StripeUnitPrice: decimal('stripe', 1, { above: 0, max: 1e9 }),
  StripeMinTopUp: whole('stripe', 1, { min: 1, unit: 'usd' }),

  /** The seller on invoices; empty: the name of the site. */
  InvoiceSellerName: text('invoices', '', { max: 200 }),
  InvoiceSellerAddress: text('invoices', '', { max: 500, format: 'paragraph' }),
  InvoiceSellerTaxId: text('invoices', '', { max: 60 }),
  /** The tax that prices include. */
  InvoiceTaxRate: decimal('invoices', 0, { max: 100, unit: 'percent' }),
  InvoiceNumberPrefix: text('invoices', 'INV-', { max: 20 }),
  /** Printed below each document. */
  InvoiceNote: text('invoices', '', { max: 1000, format: 'paragraph' }),

  /** Also the list of groups. */
  GroupRatio: numberTable('groups', 'group', threeGroups, () =>
    ratios().refine((groups) => Object.keys(groups).length > 0, refusal('reason.no_groups')),
  ),
  /** Group -> description: groups that every user may choose. */
  UserUsableGroups: textTable('groups', 'known-group', table({ default: '默认分组', vip: 'vip分组' })),
  /** Group of the user -> group in use -> the ratio that replaces the latter's. */
  GroupGroupRatio: asTable(
    json<Table<Table<number>>>('groups', table({}), () => tableOf(ratios())),
    'matrix',
    'known-group',
  ),

  // The built-in price tables apply; entries here override them by model.
  ModelRatio: numberTable('prices', 'model', noRatios),
  /** US dollars for one call. */
  ModelPrice: priceTable('prices', 'model', noRatios),
  CompletionRatio: numberTable('prices', 'model', noRatios),
  CacheRatio: numberTable('prices', 'model', noRatios),
  CreateCacheRatio: numberTable('prices', 'model', noRatios),
  ImageRatio: numberTable('prices', 'model', noRatios),
  AudioRatio: numberTable('prices', 'model', noRatios),
  AudioCompletionRatio: numberTable('prices', 'model', noRatios),
  /**
   * Service tier -> factor on everything a call costs; `tier:model` for one model. A tier that is not listed is not passed on.
   * https://openai.com/api/pricing, https://platform.claude.com/docs/en/about-claude/pricing
   */
  ServiceTierRatio: numberTable('prices', 'tier', usualTiers),
  /** US dollars for a thousand calls of a built-in tool. */
  ToolPrice: priceTable('prices', 'tool', noRatios),

  /** Yuan for one US dollar, by which list prices in yuan are charged. Not what balances are sold at. */
  ListPriceYuanRate: decimal('prices', 7.1, { above: 0, max: 1000 }),

  /** How often price lists are read. */
  PriceSyncSchedule: choice('price-sync', ['off', 'daily', 'weekly']),
  PriceSyncLiteLlmUrl: listAddress(
    'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  ),
  PriceSyncModelsDevUrl: listAddress('https://models.dev/api.json'),
  /** Where `ListPriceYuanRate` is read with the lists; empty: it stays what it is. */
  PriceSyncYuanRateUrl: listAddress('https://api.frankfurter.dev/v1/latest?base=USD&symbols=CNY'),
  /** A price that rises by more has to be approved. */
  PriceSyncMostRise: decimal('price-sync', 0, { max: 1000, unit: 'percent' }),
  /** A price that falls changes without approval. */
  PriceSyncAppliesFalls: flag('price-sync', false),
}
