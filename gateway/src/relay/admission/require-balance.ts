import type { Catalog } from '../../channels/catalog/catalog'
import type { Context } from '../../context'
import { isOutOfQuota } from '../../billing/ledger/is-out-of-quota'
import { isFree } from '../../billing/metering/estimate'
import { pricesOf } from '../../billing/metering/price-book/prices'
import { tiersOf } from '../../channels/routing/tiers'
import type { Caller, IncomingCall } from '../call'

/** Reading and parsing less than this costs no more than looking up a balance that is not in memory. */
const smallBytes = 16 * 1024

/** Returns whether reading a body costs the gateway something before the price of its call is known. */
export const isLargeBody = ({ headers }: Request): boolean =>
  Number(headers.get('content-length') ?? Infinity) > smallBytes

/**
 * Refuses a caller whose balance is empty, unless the model may cost nothing.
 * @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`.
 */
export async function requireBalance(call: IncomingCall, caller: Caller, ctx: Pick<Context, 'ledger'>): Promise<void> {
  try {
    ctx.ledger.release(await ctx.ledger.reserve(call.requestId, caller.payer, 1))
  } catch (error) {
    if (!isOutOfQuota(error) || !hasFreeModel(caller, call.catalog)) throw error
  }
}

/** By the key's group and the user's group, for each snapshot of the catalog. */
const known = new WeakMap<Catalog, Map<string, boolean>>()

function hasFreeModel({ group, account }: Caller, catalog: Catalog): boolean {
  const byGroups = known.get(catalog) ?? new Map<string, boolean>()
  known.set(catalog, byGroups)
  const key = `${group}\n${account.group}`
  const found = byGroups.get(key)
  if (found !== undefined) return found
  const names = [...(catalog.routes.get(group)?.keys() ?? [])]
  const isFound = names.some((model) => isFreeModel(model, group, account.group, catalog))
  byGroups.set(key, isFound)
  return isFound
}

/** Returns whether the model is free, under its own name or one that a channel maps it to. */
function isFreeModel(model: string, group: string, userGroup: string, catalog: Catalog): boolean {
  const candidates = tiersOf(catalog, group, model).flatMap((tier) => tier.candidates)
  const isOwnMachine = candidates.some(({ channel }) => channel.provider.isFree)
  const upstreamModels = new Set(candidates.map(({ channel }) => channel.modelMapping.get(model)))
  return [undefined, ...upstreamModels].some((upstreamModel) => {
    const price = pricesOf(catalog).priceOf(model, { group, userGroup, upstreamModel, isOwnMachine })
    return price !== null && isFree(price)
  })
}
