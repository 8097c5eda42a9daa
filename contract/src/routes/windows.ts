import * as z from 'zod'

import { route } from '../http/route'
import { idText, nameText, plainText, TokenId } from '../pricing/units'

/** What a window counts: quota, answered calls, tokens, or calls at the same time. */
export const windowMeasures = [
  'quota',
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'tokens',
  'concurrent',
] as const
export type WindowMeasure = (typeof windowMeasures)[number]

/** How long a window is. `call`: a cap on each call, of keys, users and groups. `seconds`: as many as it says. `range`: from one date to another. `always`: it never begins anew. */
export const windowSpans = [
  'call',
  'minute',
  'five_hours',
  'day',
  'week',
  'month',
  'seconds',
  'range',
  'always',
] as const
export type WindowSpan = (typeof windowSpans)[number]

/** Whose windows they are: those of a group are for its members who have none of their own, those of a plan count for each subscription. */
export const windowOwners = ['token', 'user', 'group', 'plan', 'channel', 'channel_key'] as const
export type WindowOwner = (typeof windowOwners)[number]

/** Used to this share of the limit in the present period, a window is near its limit. */
export const nearLimitPercent = 80

/** Windows that one owner may have. */
export const maxWindows = 16
export const maxWindowLimit = 1e15
export const maxWindowSeconds = 366 * 86_400
export const maxGracePercent = 100

const spanOf = z.enum(windowSpans)

/** A window as it is set. */
export const WindowSettings = z.object({
  /** Absent in a new one. */
  id: z.number().int().positive().optional(),
  /** Shown where the window refuses; unique for its owner. */
  name: nameText(50),
  measure: z.enum(windowMeasures),
  /** Quota, calls or tokens. A whole number of at least 1. */
  limit: z.number(),
  span: spanOf,
  /** The length of `seconds`; 0 with every other span. */
  seconds: z.number().default(0),
  /** Unix seconds, of `range`; 0 with every other span. */
  starts_at: z.number().int().default(0),
  ends_at: z.number().int().default(0),
  /** It begins with the first call, and not at midnight, on Monday, at the full minute. */
  is_sliding: z.boolean().default(false),
  /** The IANA name of the zone of its midnights; empty: that of the site. */
  time_zone: plainText(64).default(''),
  /** Calls may go beyond the limit by this share of it. */
  grace_percent: z.number().default(0),
  /** A call that it would refuse goes on with this model; empty: it is refused. */
  fallback_model: plainText(255).default(''),
  /** Shares of the limit at which the owner is told, once a period. */
  alert_percents: z.array(z.number()).max(8).default([]),
  /** Operators are told too. */
  alerts_operators: z.boolean().default(false),
})
export type WindowSettings = z.output<typeof WindowSettings>

/** What is left of a window, for one of those whom it limits. */
export const WindowStanding = z.object({
  id: z.number().int(),
  owner: z.enum(windowOwners),
  /** The id of the key, user, subscription or channel whose calls it counts. */
  subject_id: z.number().int(),
  name: z.string(),
  measure: z.enum(windowMeasures),
  span: spanOf,
  limit: z.number().int(),
  /** In the present period; what workers have leased and not spent is not counted. */
  used: z.number().int(),
  /** What may still be drawn, the grace included; never below 0. */
  remaining: z.number().int(),
  /** Unix seconds; null: it has not begun, or never begins anew. */
  resets_at: z.number().int().nullable(),
})
export type WindowStanding = z.output<typeof WindowStanding>

const OwnerQuery = z.object({
  owner: z.enum(windowOwners),
  /** The id of the key, user, plan or channel; the name of the group; the channel’s id, a colon and the fingerprint of a channel’s key. */
  ref: plainText(320),
})

const WindowList = z.object({
  windows: z.array(WindowSettings.required({ id: true })),
  /** Empty for a group and for caps on each call. */
  standings: z.array(WindowStanding),
})

export const listWindows = route({
  method: 'GET',
  path: '/api/window',
  access: ['users.read', 'channels.read'],
  summary: 'The windows of a key, a user, a group, a channel or a key of a channel',
  query: OwnerQuery,
  data: WindowList,
})

const WindowEdit = OwnerQuery.extend({ windows: z.array(WindowSettings) })

export const setWindows = route({
  method: 'PUT',
  path: '/api/window',
  access: ['users.write', 'channels.write'],
  audit: 'window.update',
  summary: 'Sets all windows of an owner at once: those that are not sent end',
  body: WindowEdit,
  data: WindowList,
})

export const listGroupWindows = route({
  method: 'GET',
  path: '/api/window/groups',
  access: 'users.read',
  summary: 'The windows of every group of the site, groups without any included',
  data: z.array(z.object({ group: z.string(), windows: z.array(WindowSettings.required({ id: true })) })),
})

export const listKeyWindows = route({
  method: 'GET',
  path: '/api/token/windows',
  access: 'self.read',
  summary: 'The windows of one of the caller’s keys',
  query: z.object({ token_id: idText(TokenId) }),
  data: WindowList,
})

export const setKeyWindows = route({
  method: 'PUT',
  path: '/api/token/windows',
  access: 'tokens.write',
  audit: 'window.update_own',
  summary: 'Sets all windows of one of the caller’s keys at once',
  body: z.object({ token_id: TokenId, windows: z.array(WindowSettings) }),
  data: WindowList,
})

export const ownStandings = route({
  method: 'GET',
  path: '/api/user/self/windows',
  access: 'self.read',
  isViewable: true,
  summary: 'What is left of every window that limits the caller, the caller’s keys and running subscriptions',
  data: z.array(
    WindowStanding.extend({
      /** The name of the key; empty for other windows. */
      key_name: z.string(),
      /** The name of the plan; empty for other windows. */
      plan_name: z.string(),
    }),
  ),
})

/** For lists: of each of up to a hundred keys, users or channels. */
export const listStandings = route({
  method: 'GET',
  path: '/api/window/standing',
  access: ['users.read', 'channels.read'],
  summary: 'What is left of every window of several users, keys or channels',
  query: z.object({
    owner: z.enum(['token', 'user', 'channel']),
    /** Ids, separated by commas. */
    ids: z.string().regex(/^\d{1,16}(,\d{1,16}){0,99}$/),
  }),
  data: z.array(WindowStanding),
})
