import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { choice, decimal, once, secret, text, whole, type Option } from './option'
import { eachOnce, lines } from './texts'

/** How an event reaches operators: messages in the console, mails, messages to webhooks. */
export const eventMedia = ['inbox', 'mail', 'webhook'] as const
export type EventMedium = (typeof eventMedia)[number]

const mediaText = once(() =>
  z
    .string()
    .transform((stored) =>
      stored
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .pipe(
      z
        .array(z.enum(eventMedia))
        .check(eachOnce((name) => name))
        .transform((names): readonly EventMedium[] => eventMedia.filter((name) => names.includes(name))),
    ),
)

/** The media of an event, separated by commas; none: it is only counted. */
const media = (initial: readonly EventMedium[] = eventMedia): Option<readonly EventMedium[]> => ({
  kind: 'choices',
  section: 'events',
  default: initial,
  isPublic: false,
  choices: eventMedia,
  schema: mediaText,
  text: (value) => value.join(','),
})

const httpsText = once(() =>
  z
    .string()
    .trim()
    .max(2048)
    .refine(
      (address) => address === '' || (/^https:\/\//i.test(address) && URL.canParse(address)),
      refusal('reason.https_address'),
    ),
)

/** An https address that contains a secret. */
const secretAddress = (): Option<string> => ({ ...secret('event-webhooks'), schema: httpsText })

const mailAddress = /^[^\s@,;<>]+@[^\s@,;<>]+$/

const addresses = (): Option<readonly string[]> => {
  const plain = lines('event-webhooks', [])
  return {
    ...plain,
    schema: once(() => plain.schema().pipe(z.array(z.string().regex(mailAddress, refusal('reason.mail_address'))))),
  }
}

/** What operators are told of, how, and where to. */
export const eventOptions = {
  EventChannelDisabled: media(),
  EventChannelEnabled: media(['inbox', 'webhook']),
  EventVendorBalanceLow: media(),
  EventJobFailed: media(),
  EventBackupFailed: media(),
  EventDiskLow: media(),
  EventNodeNotReady: media(),
  EventChargesSetAside: media(),
  EventPaymentDisputed: media(),
  EventUnusualSpending: media(),
  EventLimitNear: media(),
  EventLowMargin: media(),
  /** In dollars, as vendors report it; 0: never. */
  VendorBalanceThreshold: decimal('events', 10, { unit: 'usd' }),
  /** 0: vendors are asked by hand only. */
  VendorBalanceMinutes: whole('events', 0, { max: 44_640, unit: 'minutes' }),
  /** Times the daily mean of the two weeks before. */
  UnusualSpendingFactor: decimal('events', 5, { above: 1, max: 1000 }),
  /** Less in a day is never unusual. */
  UnusualSpendingMinimum: whole('events', 5_000_000, { unit: 'quota' }),
  /** The share of sales that a channel or a model must earn in a day, in percent; 0: losses alone are reported. */
  LowMarginPercent: decimal('events', 0, { max: 99 }),
  /** Less sold in a day is never reported. */
  LowMarginMinimum: whole('events', 500_000, { unit: 'quota' }),

  /** One address a line; none: to the administrators' own addresses. */
  EventMailAddresses: addresses(),
  EventLanguage: choice('event-webhooks', ['zh', 'en']),
  EventSlackUrl: secretAddress(),
  EventFeishuUrl: secretAddress(),
  EventFeishuSecret: secret('event-webhooks'),
  EventDingTalkUrl: secretAddress(),
  EventDingTalkSecret: secret('event-webhooks'),
  EventWeComUrl: secretAddress(),
  EventTelegramToken: secret('event-webhooks'),
  EventTelegramChat: text('event-webhooks', '', { max: 100 }),
  EventDiscordUrl: secretAddress(),
  EventWebhookUrl: secretAddress(),
  EventWebhookSecret: secret('event-webhooks'),
}
