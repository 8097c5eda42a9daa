import { windowRoutes } from '@tollgate/contract'

import type { SourceWindow } from '../site-source'
import type { ReadableTable } from '../source/read-table'
import { quotaOf, readAccounts } from './accounts'
import { budgetPeriod } from './budget-period'
import { readKeys } from './virtual-keys'
import type { Budget } from './tables'

type Limits = Omit<Budget, 'budget_id'> & { readonly spend: number | null }
type Owner = Pick<SourceWindow, 'owner' | 'ownerId'>

/** Yields the budgets that begin anew, and limits by the minute and of calls at once: of users, of teams, of keys, and of members in their keys. */
export async function* readWindows(
  source: ReadableTable | null,
  masterKey: string,
  now: number,
): AsyncGenerator<readonly SourceWindow[]> {
  for await (const accounts of readAccounts(source))
    yield accounts.flatMap(({ user, of }) => {
      if (of === null) return []
      const owner: Owner = { owner: 'user', ownerId: user.id }
      return [...budgetOf(of, owner, 'Budget'), ...callsOf(of, owner), ...tokensOf(of, owner)]
    })
  for await (const keys of readKeys(source, masterKey, now))
    yield keys.flatMap(({ token, row, member }) => {
      const owner: Owner = { owner: 'token', ownerId: token.id }
      // Calls in a minute are a limit of the key itself.
      const own = [...budgetOf(row, owner, 'Budget'), ...tokensOf(row, owner)]
      return member ? [...own, ...ofMember(member, owner)] : own
    })
}

function* ofMember(
  { budget, spend }: { readonly budget: Budget; readonly spend: number },
  owner: Owner,
): Generator<SourceWindow> {
  yield* budgetOf({ ...budget, spend }, owner, 'Budget of the member', { span: 'always', seconds: 0 })
  const settings = { measure: 'requests', limit: budget.rpm_limit, span: 'minute' } as const
  if (budget.rpm_limit > 0) yield windowOf({ name: 'Calls of the member in a minute', ...settings }, owner)
  const tokens = { measure: 'tokens', limit: budget.tpm_limit, span: 'minute' } as const
  if (budget.tpm_limit > 0) yield windowOf({ name: 'Tokens of the member in a minute', ...tokens }, owner)
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

function* callsOf({ rpm_limit: calls }: Limits, owner: Owner): Generator<SourceWindow> {
  if (calls > 0) yield windowOf({ name: 'Calls in a minute', measure: 'requests', limit: calls, span: 'minute' }, owner)
}

function* tokensOf({ tpm_limit: tokens, max_parallel_requests: calls }: Limits, owner: Owner): Generator<SourceWindow> {
  if (tokens > 0)
    yield windowOf({ name: 'Tokens in a minute', measure: 'tokens', limit: tokens, span: 'minute' }, owner)
  if (calls > 0) yield windowOf({ name: 'Calls at once', measure: 'concurrent', limit: calls, span: 'always' }, owner)
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
