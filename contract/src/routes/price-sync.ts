import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { PriceMode, PriceSchedule } from '../pricing/price-entry'
import { route } from '../http/route'

const Time = z.number().int().nullable()

/** Why a source could not be used. */
export const sourceFailures = [
  'address',
  'timeout',
  'unreachable',
  'status',
  'too_large',
  'malformed',
  'implausible',
  'unsupported',
] as const
export type SourceFailure = (typeof sourceFailures)[number]

/** How an upstream's prices are used. */
export const sourceUses = ['cost', 'sale'] as const

export const PriceSource = z.object({
  /** `litellm`, `models.dev`, `yuan-rate`, or `channel:` and its id. */
  name: z.string(),
  kind: z.enum(['list', 'rate', 'channel']),
  /** Where it is read; empty: not used. */
  url: z.string(),
  /** 0: no channel. */
  channel_id: z.number().int(),
  channel_name: z.string(),
  /** For a channel: its cost, or proposals of sale prices. */
  use: z.enum(sourceUses),
  /** The group that the upstream assigned to us: its ratio counts. */
  group: z.string(),
  last_run_at: Time,
  /** The last time it could be read. */
  last_success_at: Time,
  failure: z.enum(['', ...sourceFailures]),
  /** HTTP status, where that is the failure. */
  status: z.number().int().nullable(),
  /** Models with a price when it was last read. */
  models: z.number().int(),
})
export type PriceSource = z.output<typeof PriceSource>

export const proposalStates = ['waiting', 'applied', 'rejected', 'refused'] as const
export type ProposalState = (typeof proposalStates)[number]

/**
 * Why a proposal waits: `new` had no price or none above zero, `rise` is above the threshold, `fall` because falls do not apply
 * automatically, `own` because the operator set the price by hand, `structure` because a mode or the schedules change. Why it is refused:
 * `kind` would change the billing kind, `zero` is how lists mark unknown prices, `dropped` and `absent` would delete a price, `filler` is
 * what gateways return for models without a price, `expression` cannot be expressed as prices.
 */
export const waitReasons = ['new', 'rise', 'fall', 'own', 'structure'] as const
export const refusalReasons = ['kind', 'zero', 'dropped', 'absent', 'filler', 'expression'] as const
export const proposalReasons = [...waitReasons, ...refusalReasons] as const
export type ProposalReason = (typeof proposalReasons)[number]

/** A price in US dollars, a factor, a whole mode, all schedules, or a billing kind. */
export const ProposedValue = z.union([z.number(), z.string(), PriceMode, z.array(PriceSchedule)])
export type ProposedValue = z.output<typeof ProposedValue>

export const PriceProposal = z.object({
  id: z.number().int(),
  /** `lists`, or `channel:` and its id. */
  source: z.string(),
  source_name: z.string(),
  /** 0: the sale price; otherwise the cost of the model at this channel. */
  channel_id: z.number().int(),
  model: z.string(),
  /** A class, `tier:200000:input`, `mode:priority:factor`, `mode:priority`, `schedules`, `kind`; empty: the whole entry. */
  field: z.string(),
  before: ProposedValue.nullable(),
  after: ProposedValue.nullable(),
  /** Null where there was no price or nothing to compare. */
  percent: z.number().nullable(),
  state: z.enum(proposalStates),
  reason: z.enum(proposalReasons),
  found_at: z.number().int(),
  decided_at: Time,
  /** Empty: none, or it applied automatically. */
  decided_by: z.string(),
})
export type PriceProposal = z.output<typeof PriceProposal>

export const priceSync = route({
  method: 'GET',
  path: '/api/prices/sync',
  access: 'prices.read',
  summary: 'The sources of prices, their last and next reading, and how many proposals wait',
  data: z.object({
    schedule: z.enum(['off', 'daily', 'weekly']),
    is_running: z.boolean(),
    last_run_at: Time,
    /** Null: only on request. */
    next_run_at: Time,
    sources: z.array(PriceSource),
    counts: z.object({
      waiting: z.number().int(),
      applied: z.number().int(),
      rejected: z.number().int(),
      refused: z.number().int(),
    }),
  }),
})

export const runPriceSync = route({
  method: 'POST',
  path: '/api/prices/sync/run',
  isCompound: true,
  audit: 'price.sync',
  access: 'prices.write',
  limit: 'critical',
  summary: 'Read the sources now; the response does not wait for it',
})

const Filter = {
  state: z.enum(proposalStates).optional(),
  /** Part of a model's name. */
  keyword: z.string().max(255).optional(),
  source: z.string().max(40).optional(),
}

export const listProposals = route({
  method: 'GET',
  path: '/api/prices/sync/proposals',
  access: 'prices.read',
  limit: 'search',
  summary:
    'Proposed prices: those that wait, unless another state is requested; by model, or the largest changes first',
  query: PageQuery.extend({ ...Filter, order: z.enum(['model', 'change']).optional() }),
  data: listOf(PriceProposal),
})

export const decideProposals = route({
  method: 'POST',
  path: '/api/prices/sync/decide',
  audit: 'price.decide',
  access: 'prices.write',
  summary: 'Approve or reject proposals: these, or all that match the filter and wait',
  body: z.object({
    decision: z.enum(['approve', 'reject']),
    ids: z.array(z.number().int().min(1)).max(5000).optional(),
    /** Everything that waits and matches. */
    filter: z.object({ keyword: Filter.keyword, source: Filter.source }).optional(),
  }),
  data: z.object({
    decided: z.number().int(),
    /** The price has changed since they were found, or they were already decided. */
    outdated: z.number().int(),
  }),
})

export const setPriceSource = route({
  method: 'PUT',
  path: '/api/prices/sync/channels/{id}',
  audit: 'price.source',
  access: 'prices.write',
  summary: 'Read the prices of the gateway behind a channel, or stop doing so',
  params: z.object({ id: z.coerce.number().int().min(1) }),
  body: z.object({
    use: z.enum(['off', ...sourceUses]),
    /** Default: `default`. */
    group: z.string().trim().min(1).max(64).optional(),
  }),
})
