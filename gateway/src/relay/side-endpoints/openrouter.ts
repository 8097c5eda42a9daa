import { logType, readLogDetails } from '@tollgate/contract'

import { lastDays, readSumProgress, spans } from '../../billing/analytics/rollups'
import { totalOf } from '../../billing/analytics/query'
import { standingsOf } from '../../billing/ledger/window/standings'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import { ownerOf, type Caller, type IncomingCall } from '../call'
import { accountOf, isOfToken, userAccount } from './billing'

/**
 * OpenRouter's `GET /api/v1/key`, in US dollars. Its clients refuse an answer that lacks a member, so what does not exist here is told as none.
 * https://openrouter.ai/docs/api-reference/get-current-api-key
 */
export async function keyFacts(caller: Caller, call: IncomingCall, ctx: Context) {
  const [{ remaining, used, isUnlimited }, spent, windows] = await Promise.all([
    accountOf(caller, call, ctx),
    recentSpending(caller, call, ctx),
    windowsOf(caller, call, ctx),
  ])
  const { expiresAt = -1, rateLimit = null } = caller.key ?? {}
  return {
    data: {
      label: caller.tokenName,
      limit: isUnlimited ? null : dollars(remaining + used, call),
      limit_remaining: isUnlimited ? null : dollars(remaining, call),
      limit_reset: null,
      windows,
      usage: dollars(used, call),
      usage_daily: dollars(spent.day, call),
      usage_weekly: dollars(spent.week, call),
      usage_monthly: dollars(spent.month, call),
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      include_byok_in_limit: false,
      is_free_tier: false,
      is_management_key: false,
      is_provisioning_key: false,
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
      rate_limit: { interval: `${rateLimit?.periodSeconds ?? 0}s`, note: '', requests: rateLimit?.count || -1 },
      allowed_data_regions: ['global'],
      creator_user_id: null,
      organization_id: null,
      workspace_id: null,
      expires_at: expiresAt > 0 ? new Date(expiresAt * 1000).toISOString() : null,
    },
  }
}

/** Resolves with what is left of the limits of the key, and of its user or else the group: what no vendor's clients read, but tools may show. */
async function windowsOf({ key, account }: Caller, { catalog }: IncomingCall, { database, clock }: Context) {
  const ofUser = account.windows.length > 0 ? account.windows : (catalog.groupWindows.get(account.group) ?? [])
  const all = [
    ...(key?.windows ?? []).map((row) => ({ row, subjectId: key?.id ?? 0 })),
    ...ofUser.map((row) => ({ row, subjectId: account.id })),
  ]
  const times = { now: clock.seconds(), timeZone: catalog.options.SiteTimeZone }
  const standings = await standingsOf(database.query, all, times)
  return standings.map(({ name, measure, span, limit, used, remaining, resets_at: resetsAt }) => ({
    name,
    measure,
    span,
    limit,
    used,
    remaining,
    resets_at: resetsAt === null ? null : new Date(resetsAt * 1000).toISOString(),
  }))
}

/** OpenRouter's `GET /api/v1/credits`: what the user bought and spent, in US dollars. */
export async function credits(caller: Caller, call: IncomingCall, ctx: Context) {
  await ctx.ledger.waitUntilApplied()
  const { remaining, used } = await userAccount(caller, ctx)
  return { data: { total_credits: dollars(remaining + used, call), total_usage: dollars(used, call) } }
}

/**
 * OpenRouter's `GET /api/v1/generation?id=`: what a call of the user used and cost, or of the key where it is limited, by the
 * id in its `X-Request-Id`.
 * https://openrouter.ai/docs/api-reference/get-a-generation
 * @throws AppError `object.none`.
 */
export async function generation(caller: Caller, call: IncomingCall, ctx: Context) {
  const id = new URLSearchParams(call.query).get('id') ?? ''
  const { userId, tokenId } = ownerOf(caller)
  await ctx.ledger.waitUntilApplied()
  const rows = await ctx.logs.callsOf([id])
  const row = rows.find(
    ({ type, user_id: user, token_id: token }) =>
      type === logType.consumption && user === userId && (tokenId === null || token === tokenId),
  )
  if (!row) throw new AppError('object.none', { params: { id: id.slice(0, 100), place: 'id' } })
  const { frt, use_time_ms: milliseconds, image_count: images, ...details } = readLogDetails(row.other)
  const cost = dollars(row.quota, call)
  return {
    data: {
      id,
      request_id: id,
      model: row.model_name,
      created_at: new Date(row.created_at * 1000).toISOString(),
      api_type: null,
      streamed: row.is_stream === 1,
      cancelled: null,
      finish_reason: null,
      native_finish_reason: null,
      total_cost: cost,
      usage: cost,
      cache_discount: null,
      upstream_inference_cost: null,
      is_byok: false,
      latency: frt ?? null,
      generation_time: milliseconds === undefined ? row.use_time * 1000 : milliseconds,
      moderation_latency: null,
      tokens_prompt: row.prompt_tokens,
      tokens_completion: row.completion_tokens,
      native_tokens_prompt: row.prompt_tokens,
      native_tokens_completion: row.completion_tokens,
      native_tokens_completion_images: null,
      native_tokens_reasoning: details.reasoning_tokens ?? 0,
      native_tokens_cached: details.cache_tokens ?? 0,
      num_media_prompt: null,
      num_media_completion: images ?? null,
      num_input_audio_prompt: null,
      num_search_results: null,
      num_fetches: null,
      origin: '',
      provider_name: null,
      provider_responses: null,
      data_region: 'global',
      service_tier: details.service_tier ?? null,
      router: null,
      app_id: null,
      external_user: null,
      http_referer: null,
      user_agent: null,
      upstream_id: null,
      preset_id: null,
      web_search_engine: null,
      workspace_id: null,
    },
  }
}

const dollars = (quota: number, { catalog: { options } }: IncomingCall): number => quota / options.QuotaPerUnit

/** Resolves with the quota spent since the beginning of this day, week and month, in UTC. */
async function recentSpending(caller: Caller, call: IncomingCall, ctx: Context) {
  await ctx.ledger.waitUntilApplied()
  const { account, key } = caller
  const filter: UsageFilter = {
    userId: account.id,
    ...(isOfToken(caller, call) && { tokenName: key?.name ?? caller.tokenName }),
  }
  const now = new Date(ctx.clock.now())
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) / 1000
  const progress = await readSumProgress(ctx.database.query)
  const { before } = lastDays(1, now.getTime())
  const since = async (from: number) => (await totalOf(progress, { filter, hours: { from, before } })).quota
  // A week begins on Monday.
  const [day, week, month] = await Promise.all([
    since(today),
    since(today - ((now.getUTCDay() + 6) % 7) * spans.day),
    since(today - (now.getUTCDate() - 1) * spans.day),
  ])
  return { day, week, month }
}
