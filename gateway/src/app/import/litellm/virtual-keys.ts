import type { SourceToken } from '../site-source'
import { literal, readTable, type ReadableTable } from '../source/read-table'
import { ownerId, quotaOf, readAccounts } from './accounts'
import { budgetPeriod } from './budget-period'
import { Budget, Key, Membership, type Team } from './tables'

/** A key with its row, in which limits of its budget stand where it has none of its own. */
export interface VirtualKey {
  readonly token: SourceToken
  readonly row: Key
  /** What the member whose key it is may use of the team; null: there is no such limit. */
  readonly member: { readonly budget: Budget; readonly spend: number } | null
}

/** Keys that LiteLLM's own console makes for each sign-in. */
const consoleTeam = 'litellm-dashboard'

/** Yields the master key, which clients use as well, and the virtual keys. */
export async function* readKeys(
  source: ReadableTable | null,
  masterKey: string,
  now: number,
): AsyncGenerator<readonly VirtualKey[]> {
  let last = 0
  if (masterKey !== '') {
    const row = masterRow(masterKey)
    yield [{ token: tokenOf((last += 1), { row, userId: ownerId, team: null, now }), row, member: null }]
  }
  if (!source) return
  const known = await readOwners(source)
  for await (const rows of readTable(source, { table: 'LiteLLM_VerificationToken', key: 'token', schema: Key }))
    yield rows
      .filter(({ team_id: team }) => team !== consoleTeam)
      .map((own) => {
        const row = withBudget(own, known.budgets.get(own.budget_id))
        const team = known.teams.get(row.team_id) ?? null
        const userId = team?.id ?? known.users.get(row.user_id) ?? ownerId
        const membership = known.members.get(memberKey(row))
        const budget = known.budgets.get(membership?.budget_id ?? '')
        return {
          token: tokenOf((last += 1), { row, userId, team: team?.row ?? null, now }),
          row,
          member: budget ? { budget, spend: membership?.spend ?? 0 } : null,
        }
      })
}

const masterRow = (key: string): Key => Key.parse({ token: key, key_alias: 'master key' })

interface Owners {
  /** Ids as they are given to users, by those of LiteLLM. */
  readonly users: ReadonlyMap<string, number>
  readonly teams: ReadonlyMap<string, { readonly id: number; readonly row: Team }>
  readonly budgets: ReadonlyMap<string, Budget>
  readonly members: ReadonlyMap<string, Membership>
}

const memberKey = ({ team_id: team, user_id: user }: Pick<Membership, 'team_id' | 'user_id'>): string =>
  `${team}\0${user}`

/** A gateway with virtual keys has few users and teams. */
async function readOwners(source: ReadableTable): Promise<Owners> {
  const users = new Map<string, number>()
  const teams = new Map<string, { readonly id: number; readonly row: Team }>()
  const budgets = new Map<string, Budget>()
  const members = new Map<string, Membership>()
  for await (const accounts of readAccounts(source))
    for (const { user, of } of accounts) {
      if (of === null) continue
      if ('team_id' in of) teams.set(of.team_id, { id: user.id, row: of })
      else users.set(of.user_id, user.id)
    }
  for await (const rows of readTable(source, { table: 'LiteLLM_BudgetTable', key: 'budget_id', schema: Budget }))
    for (const row of rows) budgets.set(row.budget_id, row)
  for (const team of teams.keys()) {
    const where = `${source.database.quote('team_id')} = ${literal(team)}`
    const table = 'LiteLLM_TeamMembership'
    for await (const rows of readTable(source, { table, key: 'user_id', schema: Membership, where }))
      for (const row of rows) members.set(memberKey(row), row)
  }
  return { users, teams, budgets, members }
}

function withBudget(row: Key, budget: Budget | undefined): Key {
  if (!budget) return row
  const hasOwn = row.max_budget !== null
  return {
    ...row,
    max_budget: row.max_budget ?? budget.max_budget,
    budget_duration: hasOwn ? row.budget_duration : budget.budget_duration,
    tpm_limit: row.tpm_limit || budget.tpm_limit,
    rpm_limit: row.rpm_limit || budget.rpm_limit,
    max_parallel_requests: row.max_parallel_requests || budget.max_parallel_requests,
  }
}

const hash = /^[\da-f]{64}$/

/** Names of lists that LiteLLM keeps elsewhere. */
const isOpenList = (model: string): boolean => model.startsWith('all-')

/** Returns the models of a key: its own, or those of its team. Empty: any. */
function modelsOf({ models }: Key, team: Team | null): readonly string[] {
  const isOfTeam = models.length === 0 || models.includes('all-team-models')
  return (isOfTeam ? (team?.models ?? models) : models).filter((model) => !isOpenList(model))
}

interface Owned {
  readonly row: Key
  readonly userId: number
  readonly team: Team | null
  readonly now: number
}

function tokenOf(id: number, { row, userId, team, now }: Owned): SourceToken {
  const used = quotaOf(row.spend ?? 0)
  const models = modelsOf(row, team)
  const isUnlimited = row.max_budget === null || budgetPeriod(row.budget_duration) !== null
  return {
    id,
    userId,
    key: hash.test(row.token) ? { hash: row.token } : { plain: row.token.replace(/^sk-/, '') },
    name: row.key_alias || row.key_name || `key ${id}`,
    isEnabled: !row.blocked,
    isRefused: false,
    createdAt: row.created_at ?? now,
    accessedAt: 0,
    expiresAt: row.expires ?? -1,
    remainQuota: isUnlimited ? 0 : quotaOf(row.max_budget ?? 0) - used,
    usedQuota: used,
    isUnlimited,
    models: models.length === 0 ? null : models,
    addresses: [],
    group: '',
    rateLimit: row.rpm_limit > 0 ? { seconds: 60, calls: row.rpm_limit, served: row.rpm_limit } : null,
    deletedAt: null,
  }
}
