import * as z from 'zod'

import { route } from '../http/route'
import { idText, nameText, plainText, TokenId } from '../pricing/units'
import { windowMeasures, windowOwners, windowSpans, WindowStanding } from './standings'

// What is left of windows is on many pages of the console; their editor is on few, and loaded when it is opened.
export * from './standings'

/** Windows that one owner may have. */
export const maxWindows = 16
export const maxWindowLimit = 1e15
/** Each period is a row, and leases of every worker: of shorter ones a busy key would make one a second. */
export const minWindowSeconds = 10
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
