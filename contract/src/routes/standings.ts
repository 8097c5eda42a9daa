import * as z from 'zod'

import { route } from '../http/route'

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

/** What is left of a window, for one of those whom it limits. */
export const WindowStanding = z.object({
  id: z.number().int(),
  owner: z.enum(windowOwners),
  /** The id of the key, user, subscription or channel whose calls it counts. */
  subject_id: z.number().int(),
  name: z.string(),
  measure: z.enum(windowMeasures),
  span: z.enum(windowSpans),
  limit: z.number().int(),
  /** In the present period; what workers have leased and not spent is not counted. */
  used: z.number().int(),
  /** What may still be drawn, the grace included; never below 0. */
  remaining: z.number().int(),
  /** Unix seconds; null: it has not begun, or never begins anew. */
  resets_at: z.number().int().nullable(),
})
export type WindowStanding = z.output<typeof WindowStanding>

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
