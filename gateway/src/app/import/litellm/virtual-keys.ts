import type { SourceToken } from '../site-source'
import { literal, readTable, type ReadableTable } from '../source/read-table'
import { ownerId, quotaOf, readAccounts } from './accounts'
import { budgetPeriod } from './budget-period'
import { readBudgets, readScopes, type Scope, type Scopes } from './scopes'
import { type Budget, Key, Membership, type Team } from './tables'

/** A key with its row, in which limits of its budget stand where it has none of its own. */
export interface VirtualKey {
  readonly token: SourceToken
  readonly row: Key
  /** What the member whose key it is may use of the team; null: there is no such limit. */
  readonly member: { readonly budget: Budget; readonly spend: number } | null
  /** What it is in beside a team: a project, and an organization if its team is in no organization. */
  readonly scopes: readonly Scope[]
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
    const token = tokenOf((last += 1), { row, userId: ownerId, team: null, scopes: [], now })
    yield [{ token, row, member: null, scopes: [] }]
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
        const project = known.projects.get(row.project_id)
        const organization = known.organizations.get(team?.row.organization_id || row.organization_id)
        const scopes = [project, organization].filter((scope) => scope !== undefined)
        return {
          token: tokenOf((last += 1), { row, userId, team: team?.row ?? null, scopes, now }),
          row,
          member: budget ? { budget, spend: membership?.spend ?? 0 } : null,
          // The limits of the team's organization are those of its account.
          scopes: team?.row.organization_id ? scopes.filter(({ kind }) => kind === 'project') : scopes,
        }
      })
}

const masterRow = (key: string): Key => Key.parse({ token: key, key_alias: 'master key' })

interface Owners extends Scopes {
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
  const budgets = await readBudgets(source)
  const members = new Map<string, Membership>()
  for await (const accounts of readAccounts(source))
    for (const { user, of } of accounts) {
      if (of === null) continue
      if ('team_id' in of) teams.set(of.team_id, { id: user.id, row: of })
      else users.set(of.user_id, user.id)
    }
  for (const team of teams.keys()) {
    const where = `${source.database.quote('team_id')} = ${literal(team)}`
    const table = 'LiteLLM_TeamMembership'
    for await (const rows of readTable(source, { table, key: 'user_id', schema: Membership, where }))
      for (const row of rows) members.set(memberKey(row), row)
  }
  return { users, teams, budgets, members, ...(await readScopes(source, budgets)) }
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

/** What LiteLLM calls a list of no model at all. */
const noModels = ['no-default-models']

/** Returns the models of a key: its own, or those of its team, as far as its project and organization have them. Null: any. */
function modelsOf(key: Key, team: Team | null, scopes: readonly Scope[]): readonly string[] | null {
  const isOfTeam = key.models.length === 0 || key.models.includes('all-team-models')
  const lists = [isOfTeam ? (team?.models ?? key.models) : key.models, ...scopes.map((scope) => scope.models)]
  const closed = lists.map((list) => list.filter((model) => !isOpenList(model))).filter((list) => list.length > 0)
  const models = closed.reduce<readonly string[] | null>(
    (some, list) => (some === null ? list : inBoth(some, list)),
    null,
  )
  return models?.length === 0 ? noModels : models
}

/** A list may have patterns, as `openai/*`. */
const inBoth = (some: readonly string[], others: readonly string[]): readonly string[] => [
  ...new Set([
    ...some.filter((model) => others.some((other) => covers(other, model))),
    ...others.filter((model) => some.some((other) => covers(other, model))),
  ]),
]

const covers = (pattern: string, model: string): boolean =>
  pattern === model || (pattern.endsWith('*') && model.startsWith(pattern.slice(0, -1)))

interface Owned {
  readonly row: Key
  readonly userId: number
  readonly team: Team | null
  readonly scopes: readonly Scope[]
  readonly now: number
}

function tokenOf(id: number, { row, userId, team, scopes, now }: Owned): SourceToken {
  const used = quotaOf(row.spend ?? 0)
  const models = modelsOf(row, team, scopes)
  const isUnlimited = row.max_budget === null || budgetPeriod(row.budget_duration) !== null
  return {
    id,
    userId,
    key: hash.test(row.token) ? { hash: row.token } : { plain: row.token.replace(/^sk-/, '') },
    name: row.key_alias || row.key_name || `key ${id}`,
    isEnabled: !row.blocked && !scopes.some(({ isBlocked }) => isBlocked),
    isRefused: false,
    createdAt: row.created_at ?? now,
    accessedAt: 0,
    expiresAt: row.expires ?? -1,
    remainQuota: isUnlimited ? 0 : quotaOf(row.max_budget ?? 0) - used,
    usedQuota: used,
    isUnlimited,
    models,
    addresses: [],
    group: '',
    rateLimit: row.rpm_limit > 0 ? { seconds: 60, calls: row.rpm_limit, served: row.rpm_limit } : null,
    deletedAt: null,
  }
}
