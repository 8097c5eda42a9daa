/** How much of the gateway takes part in a call. Each adds to the one before. */
export type Profile = 'bare' | 'keys' | 'limits' | 'governed' | 'content'

interface ProfileSettings {
  /** What the report says about it. */
  readonly title: string
  readonly options: Readonly<Record<string, unknown>>
  readonly token: Readonly<Record<string, unknown>>
}

/** More than any run makes. */
const plenty = 50_000_000

/** What is asked of an upstream, by the dialect it speaks. */
export const benchModels = {
  'openai-chat': 'gpt-4o-mini',
  'openai-responses': 'o3-pro',
  'anthropic-messages': 'claude-opus-4-5-20251101',
  gemini: 'gemini-2.5-flash',
} as const

export const benchModel = benchModels['openai-chat']

/** One quota a prompt token, two a completion token; nothing before billing is on. */
export const ratiosOf = (profile: Profile) => ({ model: isBilled(profile) ? 1 : 0, completion: 2 })
/** Whether calls leave a row in the usage log. */
export const isBilled = (profile: Profile): boolean => profile === 'governed' || profile === 'content'

const bare: ProfileSettings = {
  title: 'the least that can be configured: an unlimited key, a model that costs nothing, no limits, no log rows',
  options: { LogConsumeEnabled: false },
  token: {},
}

const keys: ProfileSettings = {
  title: 'and the key has an expiry, a list of models and a list of addresses',
  options: bare.options,
  token: {
    expired_time: 4_000_000_000,
    model_limits_enabled: true,
    model_limits: Object.values(benchModels).join(','),
    allow_ips: '127.0.0.1/8',
  },
}

const limits: ProfileSettings = {
  title: 'and rate limits, of the site and of the key',
  options: {
    ...keys.options,
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitCount: plenty,
    ModelRequestRateLimitSuccessCount: plenty,
  },
  token: {
    ...keys.token,
    rate_limit_enabled: true,
    rate_limit_period: 60,
    rate_limit_count: plenty,
    rate_limit_success: plenty,
  },
}

const governed: ProfileSettings = {
  title: 'and a price, a quota of the key, reservations and a log row for each call',
  options: { ...limits.options, LogConsumeEnabled: true },
  token: { ...limits.token, unlimited_quota: false, remain_quota: 100_000_000_000 },
}

export const profiles: Readonly<Record<Profile, ProfileSettings>> = {
  bare,
  keys,
  limits,
  governed,
  content: {
    title: 'and the log row keeps what was said',
    options: { ...governed.options, LogChatContentEnabled: true },
    token: governed.token,
  },
}
