import { windowRoutes } from '@tollgate/contract'

import type { SourceWindow } from '../site-source'
import type { ReadableTable } from '../source/read-table'
import { quotaOf, readAccounts } from './accounts'
import { budgetPeriod } from './budget-period'
import { readBudgets, readScopes } from './scopes'
import { readKeys } from './virtual-keys'
import type { Budget } from './tables'

type Limits = Omit<Budget, 'budget_id'> & { readonly spend?: number | null }
type Owner = Pick<SourceWindow, 'owner' | 'ownerId'>

/**
 * Yields the budgets that begin anew, and limits by the minute and of calls at once: of users, of teams, of keys, of members and projects in their
 * keys, and of organizations in their teams and keys.
 */
export async function* readWindows(
  source: ReadableTable | null,
  masterKey: string,
  now: number,
): AsyncGenerator<readonly SourceWindow[]> {
  const { organizations } = await readScopes(source, source ? await readBudgets(source) : new Map())
  for await (const accounts of readAccounts(source))
    yield accounts.flatMap(({ user, of }) => {
      if (of === null) return []
      const owner: Owner = { owner: 'user', ownerId: user.id }
      const organization = 'organization_id' in of ? organizations.get(of.organization_id) : undefined
      return [
        ...budgetOf(of, owner, 'Budget'),
        ...callsOf(of, owner),
        ...tokensOf(of, owner),
        ...(organization ? withinOther(organization, owner, 'organization') : []),
      ]
    })
  for await (const keys of readKeys(source, masterKey, now))
    yield keys.flatMap(({ token, row, member, scopes }) => {
      const owner: Owner = { owner: 'token', ownerId: token.id }
      // Calls in a minute are a limit of the key itself.
      const own = [...budgetOf(row, owner, 'Budget'), ...tokensOf(row, owner)]
      return [
        ...own,
        ...(member ? withinOther(member, owner, 'member') : []),
        ...scopes.flatMap((scope) => [...withinOther(scope, owner, scope.kind)]),
      ]
    })
}

interface OtherLimits {
  readonly budget: Budget | null
  readonly spend: number
}

/** Yields limits of what an owner is in, as those of each owner in it: together they may use more. */
function* withinOther({ budget, spend }: OtherLimits, owner: Owner, name: string): Generator<SourceWindow> {
  if (!budget) return
  yield* budgetOf({ ...budget, spend }, owner, `Budget of the ${name}`, { span: 'always', seconds: 0 })
  yield* callsOf(budget, owner, ` of the ${name}`)
  yield* tokensOf(budget, owner, ` of the ${name}`)
}

/** A budget that never begins anew is a balance, or the quota of a key, unless there is a period for it. */
function* budgetOf(
  { max_budget: budget, budget_duration: duration, spend }: Limits,
  owner: Owner,
  name: string,
  otherwise: ReturnType<typeof budgetPeriod> = null,
): Generator<SourceWindow> {
  const period = budgetPeriod(duration) ?? otherwise
  if (budget === null || period === null) return
  yield windowOf({ name, measure: 'quota', limit: quotaOf(budget), ...period }, owner, quotaOf(spend ?? 0))
}

function* callsOf({ rpm_limit: limit }: Limits, owner: Owner, of = ''): Generator<SourceWindow> {
  if (limit > 0) yield windowOf({ name: `Calls${of} in a minute`, measure: 'requests', limit, span: 'minute' }, owner)
}

function* tokensOf(
  { tpm_limit: tokens, max_parallel_requests: calls }: Limits,
  owner: Owner,
  of = '',
): Generator<SourceWindow> {
  if (tokens > 0)
    yield windowOf({ name: `Tokens${of} in a minute`, measure: 'tokens', limit: tokens, span: 'minute' }, owner)
  if (calls > 0)
    yield windowOf({ name: `Calls${of} at once`, measure: 'concurrent', limit: calls, span: 'always' }, owner)
}

type Settings = Pick<windowRoutes.WindowSettings, 'name' | 'measure' | 'limit' | 'span'> &
  Partial<Pick<windowRoutes.WindowSettings, 'seconds'>>

const { maxWindowLimit, maxWindowSeconds, minWindowSeconds } = windowRoutes
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

function windowOf({ seconds = 0, ...settings }: Settings, owner: Owner, used = 0): SourceWindow {
  return {
    ...owner,
    settings: windowRoutes.WindowSettings.parse({
      ...settings,
      limit: clamp(settings.limit, 1, maxWindowLimit),
      seconds: settings.span === 'seconds' ? clamp(seconds, minWindowSeconds, maxWindowSeconds) : 0,
    }),
    used,
  }
}
