import * as z from 'zod'

import { route } from '../../http/route'
import { callNeeds, chainReasons } from '../../options/model-reasons'
import { routingStrategies } from '../../stored/routing-strategies'
import { LiveState } from './live'

/** Why a channel is not tried, or only after others. */
export const routeReasons = [
  /** Disabled manually. */
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
  /** Its keys failed often, or their vendor asked for a pause. */
  'keys_resting',
  /** All its slots are taken, and there is room to wait. */
  'full',
  /** All its slots are taken, and so is the room to wait. */
  'line_full',
  /** A limit of it, or of each of its keys, is used up. */
  'window_full',
] as const
export const RouteReason = z.object({
  code: z.enum(routeReasons),
  /** Until it is tried again; 0 if unknown. */
  seconds_left: z.number().int(),
  /** The reason stored when it was disabled, the prefix, or the name of the limit; may be empty. */
  detail: z.string(),
})
export type RouteReason = z.output<typeof RouteReason>

const ofChannel = {
  id: z.number().int(),
  name: z.string(),
  /** The number of its vendor. */
  type: z.number().int(),
  weight: z.number().int(),
  reasons: z.array(RouteReason),
}

/** A request to an upstream, without credentials. */
export const SampleRequest = z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })
export type SampleRequest = z.output<typeof SampleRequest>

/** How an upstream serves a model, by its own refusals: chats by Responses, chats by chat completions alone, streams alone. */
export const learnedFacts = ['responses', 'no_responses', 'only_streams'] as const

/** How a channel stands under the strategy of its tier. The parts of the score are in relation to the best of the tier: 0 to 1. */
export const RouteScore = z.object({
  score: z.number(),
  cost: z.number(),
  speed: z.number(),
  /** The part of its slots that is free. */
  room: z.number(),
  /** What 3,000 tokens in and 1,000 out cost, in quota; null: unknown, or the reader may not see it. */
  reference_cost: z.number().nullable(),
  /** As measured; null: not yet. */
  first_token_ms: z.number().nullable(),
  tokens_per_second: z.number().nullable(),
})
export type RouteScore = z.output<typeof RouteScore>

/** The strategy of a tier, with the parts of cost, speed and load in it, which make 1. */
export const TierStrategy = z.object({
  name: z.enum(routingStrategies),
  cost: z.number(),
  speed: z.number(),
  load: z.number(),
})

export type TierStrategy = z.output<typeof TierStrategy>

export const RouteCandidate = z.object({
  ...ofChannel,
  /** Its part of the tier's calls while every channel is healthy, 0 to 1. */
  share: z.number(),
  /** The probability that the next call tries it first, 0 to 1. */
  share_now: z.number(),
  /** False while calls keep failing there. */
  is_healthy: z.boolean(),
  state: LiveState,
  in_flight: z.number().int(),
  /** Concurrent calls that the responding worker allows; 0: no limit. */
  limit: z.number().int(),
  /** The model name that is sent upstream. */
  upstream_model: z.string(),
  /** What would be sent for a short chat; null where the channel cannot serve one. */
  sample: SampleRequest.nullable(),
  /** What the responding worker has learned from refusals; it is forgotten after an hour. */
  learned: z.array(z.enum(learnedFacts)),
  /** Null: no strategy is in force. */
  score: RouteScore.nullable(),
})
export type RouteCandidate = z.output<typeof RouteCandidate>

/** A channel that is not a candidate for this call, even if all others fail. */
export const ExcludedChannel = z.object({ ...ofChannel, priority: z.number().int() })
export type ExcludedChannel = z.output<typeof ExcludedChannel>

export const maxOutsiders = 200

const ExplainedTarget = z.object({
  model: z.string(),
  /** The part of the rule's calls that goes to it, 0 to 1; 0 where no channel serves it in the group. */
  share: z.number(),
})

/** What an alias or a chain makes of the name of a model. */
export const ExplainedName = z.object({
  /** The rules of the alias, in order; empty for a model. */
  rules: z.array(
    z.object({
      groups: z.array(z.string()),
      min_tokens: z.number().int(),
      /** 0: no limit. */
      max_tokens: z.number().int(),
      needs: z.array(z.enum(callNeeds)),
      /** Hours of the day in the site's zone; null: all. */
      hours: z.tuple([z.number().int(), z.number().int()]).nullable(),
      /** It fits calls of the group at this hour. */
      fits: z.boolean(),
      targets: z.array(ExplainedTarget),
    }),
  ),
  /** The models to go on with, in order. */
  chain: z.array(z.object({ model: z.string(), is_served: z.boolean() })),
  /** The reasons for which a call goes on. */
  on: z.array(z.enum(chainReasons)),
})
export type ExplainedName = z.output<typeof ExplainedName>

export const RouteExplanation = z.object({
  /** The group in use. */
  group: z.string(),
  /** The model whose channels these are: for an alias, the one with the largest part of the calls of the first rule that fits. */
  model: z.string(),
  /** Null for a model without a chain. */
  name: ExplainedName.nullable(),
  /** The caller to explain; null if neither a user nor a token is given. */
  caller: z
    .object({
      user_id: z.number().int(),
      username: z.string(),
      /** 0: none is given. */
      token_id: z.number().int(),
      token_name: z.string(),
      /** A sentence that says why the call would be refused before any channel is tried; empty if it would not. */
      refusal: z.string(),
    })
    .nullable(),
  /** In the order they are tried. */
  tiers: z.array(
    z.object({
      priority: z.number().int(),
      /** Null: its calls are spread by weight. */
      strategy: TierStrategy.nullable(),
      channels: z.array(RouteCandidate),
    }),
  ),
  /** The other channels, those that list the model first; at most `maxOutsiders`. */
  others: z.array(ExcludedChannel),
  others_total: z.number().int(),
})
export type RouteExplanation = z.output<typeof RouteExplanation>

export const explainRoute = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/route',
  summary:
    'The channels that would serve a model for a group, user or token, their shares, and why the others would not',
  query: z.object({
    model: z.string().trim().min(1).max(255),
    /** Default: that of the token or user, otherwise `default`. */
    group: z.string().trim().max(255).optional(),
    /** By name. */
    user: z.string().trim().max(255).optional(),
    /** By name or id if the user is given, otherwise by id. */
    token: z.string().trim().max(255).optional(),
  }),
  data: RouteExplanation,
})
