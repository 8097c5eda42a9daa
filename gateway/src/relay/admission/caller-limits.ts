import type { windowRoutes } from '@tollgate/contract'

import type { Account, ApiKey } from '../../accounts/callers/account'
import { limitWindow } from '../../billing/ledger/window/read-windows'
import type { LimitWindow } from '../../billing/ledger/window/limit-window'
import { windowsOfPlan, type AccountPlan } from '../../billing/plans/account-plans'
import type { Catalog } from '../../channels/catalog/catalog'
import type { WindowRow } from '../../platform/store/tables'

/** The limits of a caller, beside the balances. */
export interface CallerLimits {
  /** In the order of their ids, as everywhere they are locked. Undefined: none. */
  readonly windows: readonly LimitWindow[] | undefined
  /** For each call alone. */
  readonly caps: readonly Cap[]
  readonly plans: readonly CallerPlan[]
}

/** A plan that may pay for a call. */
export interface CallerPlan {
  readonly plan: AccountPlan
  /** Those of the caller and of the plan, in the order of their ids. */
  readonly windows: readonly LimitWindow[]
}

/** The largest prompt, answer or price of a call. */
export interface Cap {
  readonly owner: windowRoutes.WindowOwner
  readonly name: string
  readonly measure: 'prompt_tokens' | 'completion_tokens' | 'quota'
  readonly limit: number
}

const noLimits: CallerLimits = { windows: undefined, caps: [], plans: [] }

/** By catalog, then by key or account: one that changes is a new object. */
const known = new WeakMap<Catalog, WeakMap<Account | ApiKey, CallerLimits>>()

/** Returns the limits of a key and its user; of a user alone in the playground. */
export function callerLimits(account: Account, key: ApiKey | null, catalog: Catalog): CallerLimits {
  let limits = known.get(catalog)
  if (!limits) known.set(catalog, (limits = new WeakMap()))
  const holder = key ?? account
  let found = limits.get(holder)
  if (!found) limits.set(holder, (found = findLimits(account, key, catalog)))
  return found
}

/** A user without windows has those of the group. */
function findLimits(account: Account, key: ApiKey | null, catalog: Catalog): CallerLimits {
  const ofUser = account.windows.length > 0 ? account.windows : (catalog.groupWindows.get(account.group) ?? [])
  const ofKey = key?.windows ?? []
  if (ofUser.length === 0 && ofKey.length === 0 && account.plans.length === 0) return noLimits
  const { SiteTimeZone: timeZone } = catalog.options
  const limitAll = (rows: readonly WindowRow[], subjectId: number) =>
    rows.map((row) => limitWindow(row, subjectId, timeZone)).filter((window) => window !== null)
  const windows = inOrder([...limitAll(ofUser, account.id), ...limitAll(ofKey, key?.id ?? 0)])
  return {
    windows: windows.length === 0 ? undefined : windows,
    caps: [...ofUser, ...ofKey].flatMap(capOf),
    plans: account.plans.map((plan) => ({
      plan,
      windows: inOrder([...windows, ...windowsOfPlan(plan, timeZone)]),
    })),
  }
}

const inOrder = (windows: readonly LimitWindow[]): LimitWindow[] => windows.toSorted((one, other) => one.id - other.id)

function capOf({ span, owner, name, measure, limit_amount: limit }: WindowRow): Cap[] {
  if (span !== 'call') return []
  return measure === 'prompt_tokens' || measure === 'completion_tokens' || measure === 'quota'
    ? [{ owner, name, measure, limit }]
    : []
}
