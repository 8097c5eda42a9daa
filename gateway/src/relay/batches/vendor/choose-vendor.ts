import { batchApiAt } from '@tollgate/providers'

import { AppError } from '../../../platform/app-error'
import { priorityLevelsOf } from '../../../channels/routing/priority-levels'
import type { Candidate, Channel, Choice } from '../../../channels/catalog/catalog'
import type { Batch } from '../../../tasks/batches/batch-store'
import { readTerms } from '../../../tasks/task-terms'
import { isCancelled } from '../../../tasks/task-view'
import type { RelayDeps } from '../../call-context'
import { Departure } from '../../departure'
import { hashedKeyCaller } from '../../stages/authenticate'
import { endpointAt } from '../../stages/endpoint'
import { route } from '../../stages/route'
import { lineCall, lineRequest } from '../prepare-line'
import { requireCaller } from '../run-line'

/**
 * Returns the channel and key for a batch: of the channels that come first for its model, those whose vendors have batches. Null: there is none, or
 * all of them are in `refusedBy`.
 */
export function chooseVendor(
  { task, row }: Batch,
  refusedBy: ReadonlySet<number>,
  { ctx, keyTurns }: RelayDeps,
): Choice | null {
  const { endpoint } = endpointAt(row.endpoint) ?? {}
  if (!endpoint) return null
  const catalog = ctx.catalog.current
  const { group, model, user_id: userId, token_id: tokenId } = task
  const [first] = priorityLevelsOf(catalog, group, model)
  const request = {
    caller: { group, pinnedChannelId: null, ownLogin: null },
    catalog,
    model,
    mode: endpoint.mode,
    promptTokens: 0,
    departure: Departure.withoutConnection({ userId, tokenId }),
    deadline: Infinity,
    canServe: (candidate: Candidate) =>
      first?.candidates.includes(candidate) === true && takesBatch(candidate.channel, row),
  }
  const failed = { channels: refusedBy, keys: new Set<string>() }
  return route(request, { failed, isRetry: false }, { random: ctx.random, health: ctx.health, keyTurns })
}

function takesBatch(channel: Channel, { total }: Batch['row']): boolean {
  const api = batchApiAt(channel.provider, channel)
  return api !== undefined && total >= (api.minLines ?? 1) && total <= api.maxLines
}

/** Resolves with whether a batch is still to be run: its owner has not cancelled it and may call, and its time is not over. */
export async function mayGoOn({ task, row }: Batch, deps: RelayDeps): Promise<boolean> {
  const { ctx } = deps
  const { public_id: batchId, token_id: tokenId } = task
  if (isCancelled(task) || task.deadline_at <= ctx.clock.now()) return false
  const { clientIp } = readTerms(task.terms)
  const request = lineRequest(row.endpoint, {})
  const facts = { batchId, path: row.endpoint, request, clientIp, language: 'en' } as const
  const call = lineCall(facts, batchId, ctx.catalog.current, ctx)
  const token = await ctx.database.query
    .selectFrom('tokens')
    .select('key_hash')
    .where('id', '=', tokenId)
    .executeTakeFirst()
  // Looked up here, so that a deleted key does not count as an attempt to guess one.
  if (!call || !token || !(await ctx.accounts.byKeyHash(token.key_hash))) return false
  try {
    requireCaller(await hashedKeyCaller(token.key_hash, null, call, deps), call, ctx.clock.now())
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
