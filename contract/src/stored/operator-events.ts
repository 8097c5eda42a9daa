import type { EventMedium, eventOptions } from '../options/events'
import type { Grant } from '../rights/rights'

type EventOptions = typeof eventOptions
type MediaOption = {
  readonly [Key in keyof EventOptions]: EventOptions[Key]['default'] extends readonly EventMedium[] ? Key : never
}[keyof EventOptions]

interface OperatorEvent {
  /** The option that has its media. */
  readonly option: MediaOption
  /** Its readers in the console have this grant. */
  readonly grant: Grant
  /** Seconds after a notification in which repetitions wait for the next one. */
  readonly pauseSeconds: number
  /** It lasts: several workers may report it, and how often they did means nothing. */
  readonly isState?: true
}

const hour = 3600

/** What operators are told of without asking. The texts have the same names, with `event-` before them, in the gateway's mails. */
export const operatorEvents = {
  /** A channel that the gateway disabled after an error. */
  'channel-disabled': { option: 'EventChannelDisabled', grant: 'channels.read', pauseSeconds: hour },
  /** One key of a channel with several. */
  'key-disabled': { option: 'EventChannelDisabled', grant: 'channels.read', pauseSeconds: hour },
  'channel-enabled': { option: 'EventChannelEnabled', grant: 'channels.read', pauseSeconds: hour },
  'key-enabled': { option: 'EventChannelEnabled', grant: 'channels.read', pauseSeconds: hour },
  'vendor-balance-low': {
    option: 'EventVendorBalanceLow',
    grant: 'channels.read',
    pauseSeconds: 24 * hour,
    isState: true,
  },
  'job-failed': { option: 'EventJobFailed', grant: 'settings.read', pauseSeconds: 6 * hour },
  'backup-failed': { option: 'EventBackupFailed', grant: 'settings.read', pauseSeconds: 6 * hour },
  'disk-low': { option: 'EventDiskLow', grant: 'settings.read', pauseSeconds: 6 * hour, isState: true },
  'node-not-ready': { option: 'EventNodeNotReady', grant: 'settings.read', pauseSeconds: hour, isState: true },
  /** Charges in a journal that could not be read. */
  'charges-set-aside': {
    option: 'EventChargesSetAside',
    grant: 'settings.read',
    pauseSeconds: 6 * hour,
    isState: true,
  },
  'payment-disputed': { option: 'EventPaymentDisputed', grant: 'orders.read', pauseSeconds: 0 },
  /** It is not known whether the money was paid back, also after the provider was asked. */
  'refund-uncertain': {
    option: 'EventPaymentDisputed',
    grant: 'orders.read',
    pauseSeconds: 24 * hour,
    isState: true,
  },
  /** A channel or a model earns less than the floor of margins, or loses. */
  'low-margin': { option: 'EventLowMargin', grant: 'costs.read', pauseSeconds: 24 * hour, isState: true },
  'unusual-spending': { option: 'EventUnusualSpending', grant: 'users.read', pauseSeconds: 24 * hour, isState: true },
  /** A threshold of a limit that says so. */
  'limit-near': { option: 'EventLimitNear', grant: 'users.read', pauseSeconds: hour, isState: true },
} as const satisfies Readonly<Record<string, OperatorEvent>>

export type OperatorEventKind = keyof typeof operatorEvents

export const operatorEventKinds = Object.keys(operatorEvents) as [OperatorEventKind, ...OperatorEventKind[]]

/** Who understands a message: each has a form of its own. `json`: a program of the operator's. */
export const eventTargets = ['json', 'slack', 'feishu', 'dingtalk', 'wecom', 'telegram', 'discord'] as const
export type EventTarget = (typeof eventTargets)[number]

/** Returns how an event is reported. */
export const operatorEventOf = (kind: OperatorEventKind): OperatorEvent => operatorEvents[kind]
