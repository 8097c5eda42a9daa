import * as z from 'zod'

import { route } from '../../route'
import { LiveState } from './live'
import { admin } from './parts'

/** Why a channel is not asked, or only after others. */
export const routeReasons = [
  /** Disabled by hand. */
  'disabled',
  /** Disabled after an error. */
  'auto_disabled',
  /** It does not serve the group. */
  'group',
  /** It does not list the model. */
  'model',
  /** It serves models under a prefix that the call does not name. */
  'prefix',
  /** All its keys are disabled, or none can be read. */
  'keys_disabled',
  /** The model has no price there. */
  'unpriced',
  /** Calls failed often there. */
  'breaker',
  /** Calls for this model failed often there. */
  'model_breaker',
  /** Its keys failed often, or their vendor asked to leave them alone. */
  'keys_resting',
  /** It has as many calls as it takes, and others may wait. */
  'full',
  /** And as many wait as may. */
  'line_full',
] as const
export const RouteReason = z.object({
  code: z.enum(routeReasons),
  /** Until it is tried again; 0 where nobody knows. */
  seconds_left: z.number().int(),
  /** What was stored when it was disabled, or the prefix; may be empty. */
  detail: z.string(),
})
export type RouteReason = z.output<typeof RouteReason>

const ofChannel = {
  id: z.number().int(),
  name: z.string(),
  /** Its vendor's number. */
  type: z.number().int(),
  weight: z.number().int(),
  reasons: z.array(RouteReason),
}

export const RouteCandidate = z.object({
  ...ofChannel,
  /** Part of the tier's calls while all of it is well, 0 to 1. */
  share: z.number(),
  /** The chance that the next call goes there first, 0 to 1. */
  share_now: z.number(),
  /** False while calls keep failing there. */
  is_healthy: z.boolean(),
  state: LiveState,
  in_flight: z.number().int(),
  /** Of the worker that answers; 0: any number. */
  limit: z.number().int(),
  /** What the vendor is asked for. */
  upstream_model: z.string(),
})
export type RouteCandidate = z.output<typeof RouteCandidate>

/** Never a candidate for this call, whatever happens to the others. */
export const RouteOutsider = z.object({ ...ofChannel, priority: z.number().int() })
export type RouteOutsider = z.output<typeof RouteOutsider>

export const mostOutsiders = 200

export const RouteExplanation = z.object({
  /** The group in use. */
  group: z.string(),
  /** Whose call it would be; null where nobody is named. */
  caller: z
    .object({
      user_id: z.number().int(),
      username: z.string(),
      /** 0: none is named. */
      token_id: z.number().int(),
      token_name: z.string(),
      /** Why the call would be refused before any channel is asked: a sentence; empty when it would not. */
      refusal: z.string(),
    })
    .nullable(),
  /** In the order they are asked. */
  tiers: z.array(z.object({ priority: z.number().int(), channels: z.array(RouteCandidate) })),
  /** The other channels, the nearest misses first; at most `mostOutsiders`. */
  others: z.array(RouteOutsider),
  others_total: z.number().int(),
})
export type RouteExplanation = z.output<typeof RouteExplanation>

export const explainRoute = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/route',
  summary: 'Who would serve a model for a group, user or token, how often, and why the others would not',
  query: z.object({
    model: z.string().trim().min(1).max(255),
    /** Default: that of the token or user, else `default`. */
    group: z.string().trim().max(255).optional(),
    /** By name. */
    user: z.string().trim().max(255).optional(),
    /** By name beside its user, else by id, which tells the user too. */
    token: z.string().trim().max(255).optional(),
  }),
  data: RouteExplanation,
})
