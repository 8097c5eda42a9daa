import type { planRoutes, windowRoutes } from '@tollgate/contract'

import type { IdentityProvider } from '../../accounts/identities/identities'

/*
 * What a site of another product has, in our terms and independent of where it was read. Quota is in the source's units, times are Unix
 * seconds.
 */

/** Larger figures become this one, of either sign: the sum of two is exact. */
export const maxFigure = 2 ** 52

export interface SourceUser {
  readonly id: number
  readonly username: string
  /** As the source has it: bcrypt, or empty. */
  readonly passwordHash: string
  readonly displayName: string
  readonly role: number
  readonly isEnabled: boolean
  readonly email: string
  readonly group: string
  readonly quota: number
  readonly usedQuota: number
  readonly requestCount: number
  readonly inviteCode: string
  readonly invited: number
  /** What invitations earned that was not moved to the balance, and what they earned in total. */
  readonly purse: number
  readonly earned: number
  readonly inviterId: number
  readonly accessToken: string
  readonly identities: readonly SourceIdentity[]
  readonly setting: Readonly<Record<string, unknown>>
  /** Null: unknown. */
  readonly createdAt: number | null
  readonly deletedAt: number | null
}

/** An account at a provider: one that we know, with the id by which we know it, or the name of what cannot be carried over. */
export type SourceIdentity =
  | { readonly provider: IdentityProvider; readonly subject: string }
  | { readonly unknown: string; readonly subject: string }

export interface SourceToken {
  readonly id: number
  readonly userId: number
  /** Without `sk-`; or the SHA-256 of what clients send, where the source has only that. */
  readonly key: { readonly plain: string } | { readonly hash: string }
  readonly name: string
  readonly isEnabled: boolean
  /** The source refuses it as expired or exhausted. */
  readonly isRefused: boolean
  readonly createdAt: number
  readonly accessedAt: number
  /** -1: never. */
  readonly expiresAt: number
  readonly remainQuota: number
  readonly usedQuota: number
  readonly isUnlimited: boolean
  /** Null: any. */
  readonly models: readonly string[] | null
  readonly addresses: readonly string[]
  readonly group: string
  readonly rateLimit: SourceRateLimit | null
  readonly deletedAt: number | null
}

interface SourceRateLimit {
  readonly seconds: number
  readonly calls: number
  readonly served: number
}

export interface SourceChannel {
  readonly id: number
  /** As the source has it, for notes. */
  readonly sourceType: string
  /** Our type; null: there is none, and the channel is kept switched off. */
  readonly type: number | null
  readonly name: string
  readonly keys: readonly SourceKey[]
  /** 1: enabled, 2: by hand disabled, 3: disabled after an error. */
  readonly status: number
  readonly disabledReason: string
  readonly disabledAt: number
  readonly fields: SourceChannelFields
  readonly usedQuota: number
  readonly balance: number
  readonly balanceAt: number
  readonly responseMs: number
  readonly testedAt: number
  readonly createdAt: number
  /** What of it cannot be carried over. */
  readonly notes: readonly string[]
  /** Why it must not be used as it is; null: it may. */
  readonly fault: string | null
}

export interface SourceKey {
  readonly value: string
  readonly isEnabled: boolean
  readonly reason: string
  readonly disabledAt: number
}

/** Fields of a channel by their names in the contract; absent ones have their defaults. */
interface SourceChannelFields {
  readonly base_url?: string
  readonly models?: string
  readonly group?: string
  readonly priority?: number
  readonly weight?: number
  readonly tag?: string | null
  readonly other?: string
  readonly openai_organization?: string
  readonly model_mapping?: string
  readonly status_code_mapping?: string
  readonly param_override?: string
  readonly setting?: string
  readonly system_prompt?: string
  readonly model_prefix?: string
  readonly test_model?: string
  readonly max_input_tokens?: number
  readonly auto_ban?: number
}

export interface SourceCode {
  readonly id: number
  readonly createdBy: number
  readonly key: string
  readonly name: string
  /** 1: unused, 2: disabled, 3: used. */
  readonly status: number
  readonly quota: number
  readonly isGift: boolean
  readonly maxUses: number
  readonly validFrom: number
  readonly validUntil: number
  readonly createdAt: number
  readonly redeemedAt: number
  readonly usedBy: number
  readonly deletedAt: number | null
}

export interface SourceCodeUse {
  readonly codeId: number
  readonly userId: number
  readonly usedAt: number
}

export interface SourceTotp {
  readonly userId: number
  /** Base32. */
  readonly secret: string
  readonly createdAt: number | null
}

export interface SourcePasskey {
  readonly userId: number
  /** Base64, of either alphabet. */
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly createdAt: number | null
  readonly usedAt: number | null
}

export interface SourcePlan {
  readonly id: number
  readonly name: string
  readonly description: string
  /** For a term; null: in another currency. */
  readonly dollars: number | null
  /** Null: of a length that plans here cannot have. */
  readonly term: { readonly length: number; readonly unit: planRoutes.PlanUnit } | null
  /** For a period; 0: no limit. */
  readonly quota: number
  readonly period: { readonly span: windowRoutes.WindowSpan; readonly seconds: number }
  readonly isOnSale: boolean
  /** 0: any. */
  readonly maxPerUser: number
  /** Calls that it does not pay for are paid from the wallet. */
  readonly usesWallet: boolean
  /** To which users are moved while they have it; empty: none. */
  readonly group: string
}

/** One that runs. */
export interface SourceSubscription {
  readonly id: number
  readonly userId: number
  readonly planId: number
  readonly startsAt: number
  readonly endsAt: number
  readonly isOrdered: boolean
  /** What is left of the quota of its present period; null: it has no limit. */
  readonly rest: number | null
  /** To which its user was moved; empty: none. */
  readonly group: string
}

/** One that was paid. */
export interface SourceTopUp {
  readonly id: number
  readonly userId: number
  /** The order, as the site's provider knows it. */
  readonly number: string
  /** What it brought: quota, or dollars. */
  readonly credited: { readonly quota: number } | { readonly dollars: number }
  readonly paidAt: number
}

/** A limit that begins anew. */
export interface SourceWindow {
  readonly owner: 'user' | 'token'
  readonly ownerId: number
  readonly settings: windowRoutes.WindowSettings
  /** In the present period. */
  readonly used: number
}

/** What a user used of a model in an hour. */
export interface SourceHour {
  readonly hour: number
  readonly userId: number
  readonly model: string
  readonly count: number
  readonly quota: number
  readonly tokens: number
}

export interface SourceLog {
  readonly id: number
  readonly createdAt: number
  /** Ours. */
  readonly type: number
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly model: string
  readonly group: string
  readonly channelId: number
  readonly isStream: boolean
  readonly seconds: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly quota: number
  readonly content: string
  readonly clientIp: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Figures that must be the same after the import. */
export const totalNames = [
  'users',
  'quota of users',
  'used quota of users',
  'requests of users',
  'keys',
  'rest of keys',
  'used quota of keys',
  'channels',
  'used quota of channels',
  'redemption codes',
] as const
export type Totals = Readonly<Record<(typeof totalNames)[number], number>>

/** Tables whose ids are kept, by our names. */
export type LastIds = Readonly<
  Record<'users' | 'tokens' | 'channels' | 'redemption_codes' | 'logs' | 'plans' | 'subscriptions', number>
>

type Pages<Item> = AsyncIterable<readonly Item[]>

export interface SiteSource {
  /** Such as `new-api`. */
  readonly product: string
  /** By the source's names. */
  options(): Promise<ReadonlyMap<string, string>>
  users(): Pages<SourceUser>
  tokens(): Pages<SourceToken>
  channels(): Pages<SourceChannel>
  codes(): Pages<SourceCode>
  codeUses(): Pages<SourceCodeUse>
  totpFactors(): Pages<SourceTotp>
  passkeys(): Pages<SourcePasskey>
  plans(): Pages<SourcePlan>
  subscriptions(): Pages<SourceSubscription>
  topUps(): Pages<SourceTopUp>
  windows(): Pages<SourceWindow>
  hours(): Pages<SourceHour>
  totals(): Promise<Totals>
  /** Sentences on what the source has that is not carried over. */
  leftBehind(): Promise<readonly string[]>
  /** Resolves with a text that tells this site from others, and stays the same while it is used. */
  identity(): Promise<string>
  /** Resolves with the last ids that were given out, of rows that are gone too, as far as the log names them. */
  lastIds(): Promise<LastIds>
  /** Resolves with the time of the first log row from a moment on; null: there is none. */
  firstLogSince(moment: number): Promise<number | null>
  /** Resolves with the time of the latest log row before a moment; null: there is none. */
  lastLogBefore(moment: number): Promise<number | null>
  /** The log rows from one moment to before another. */
  logsBetween(from: number, until: number): Pages<SourceLog>
  close(): Promise<void>
}
