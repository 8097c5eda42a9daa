import type { ChannelSetting, ChoiceReason, OptionValues } from '@tollgate/contract'
import type { DialectId } from '@tollgate/dialects'
import type { Provider } from '@tollgate/providers'

import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import type { Prices } from '../../billing/pricing/prices'
import type { WindowRow } from '../../platform/store/tables'
import type { SiteModels } from './site-models'

/** Everything an operator configured, as one immutable snapshot; a change builds the next one and swaps it. */
export interface Catalog {
  readonly revision: number
  readonly options: OptionValues
  readonly channels: ReadonlyMap<number, Channel>
  /** group -> model as a caller names it -> enabled channels by priority, highest priority level first. */
  readonly routes: ReadonlyMap<string, ReadonlyMap<string, readonly PriorityLevel[]>>
  /** Aliases and chains; null: the site has none. */
  readonly siteModels: SiteModels | null
  /** What models cost callers and the operator. */
  readonly prices: Prices
  /** By group, for members who have none of their own. */
  readonly groupWindows: ReadonlyMap<string, readonly WindowRow[]>
  /** By id of the channel; only channels that have some, or whose keys do. */
  readonly channelWindows: ReadonlyMap<number, KeyWindows>
}

/** The windows of which an attempt with each key of a channel draws: those of the channel and of the key, by rising id. By fingerprint. */
export type KeyWindows = ReadonlyMap<string, readonly LimitWindow[]>

export interface PriorityLevel {
  readonly priority: number
  readonly candidates: readonly Candidate[]
}

export interface Candidate {
  readonly channel: Channel
  readonly weight: number
  /** The model without the channel's prefix. */
  readonly model: string
}

export interface Channel {
  readonly id: number
  readonly name: string
  readonly provider: Provider
  readonly isEnabled: boolean
  readonly status: number
  /** In the order of the key field; a disabled key is marked. */
  readonly keys: readonly ChannelKey[]
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly groups: readonly string[]
  readonly models: readonly string[]
  readonly modelPrefix: string
  /** Chains already followed, cycles refused when saved. */
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  readonly paramOverride: Readonly<Record<string, unknown>> | null
  readonly systemPrompt: string
  readonly setting: ChannelSetting
  /** 0: no ceiling. */
  readonly maxInputTokens: number
  readonly priority: number
  readonly weight: number
  readonly tag: string | null
  readonly autoBan: boolean
  readonly testModel: string
}

export interface ChannelKey {
  readonly value: string
  /** First 16 hex digits of its SHA-256: identifies the key without revealing it. */
  readonly fingerprint: string
  readonly isEnabled: boolean
}

/** What proves to a vendor who a client is, with an account of its own there. Never stored, and forgotten with its call. */
export interface OwnLogin {
  /** Its client's. Nothing is translated for it. */
  readonly dialect: DialectId
  /** The header in which it came and goes on. */
  readonly header: 'authorization' | 'x-api-key'
  /** The token alone. */
  readonly value: string
}

export type { ChannelSetting, OptionValues }

/** The channel and the key that serve one attempt. */
export interface Choice {
  readonly channel: Channel
  readonly key: ChannelKey
  /** The model without the channel's prefix, before the channel's mapping. */
  readonly model: string
  /** Absent: by weight, as no strategy is in force. */
  readonly chosenBy?: ChoiceReason
  /** The call is made with its client's own login, in place of a key. */
  readonly ownLogin?: OwnLogin
}
