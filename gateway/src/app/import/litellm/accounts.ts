import type { SourceUser } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { budgetPeriod } from './budget-period'
import { Team, User } from './tables'

/** Quota that is a dollar, as everywhere by default. */
const quotaPerDollar = 500_000
export const quotaOf = (dollars: number): number => Math.round(dollars * quotaPerDollar)

/** What a user without a budget gets, in dollars: LiteLLM has no balances. */
export const boundlessDollars = 1_000_000

/** The user of keys without one has the first id. */
export const ownerId = 1
const ownerName = 'litellm'

/** A user here: one of LiteLLM, or a team, whose members share its budget as the keys of a user share a balance. */
export interface Account {
  readonly user: SourceUser
  readonly of: User | Team | null
}

/** Yields the owner of keys without a user, LiteLLM's users and its teams. They have no passwords here. */
export async function* readAccounts(source: ReadableTable | null): AsyncGenerator<readonly Account[]> {
  yield [{ user: userOf(ownerId, { name: ownerName, email: '', budget: null, spend: 0, createdAt: null }), of: null }]
  if (!source) return
  let last = ownerId
  for await (const rows of readTable(source, { table: 'LiteLLM_UserTable', key: 'user_id', schema: User }))
    yield rows.map((row) => ({ user: userOfPerson((last += 1), row), of: row }))
  for await (const rows of readTable(source, { table: 'LiteLLM_TeamTable', key: 'team_id', schema: Team }))
    yield rows.map((row) => ({ user: userOfTeam((last += 1), row), of: row }))
}

const userOfPerson = (id: number, row: User): SourceUser => ({
  ...userOf(id, {
    name: row.user_id,
    email: row.user_email,
    budget: balanceOf(row),
    spend: row.spend,
    createdAt: row.created_at,
  }),
  displayName: row.user_alias || row.user_id,
})

const userOfTeam = (id: number, row: Team): SourceUser => ({
  ...userOf(id, {
    name: `team ${row.team_alias || row.team_id}`,
    email: '',
    budget: balanceOf(row),
    spend: row.spend,
    createdAt: row.created_at,
  }),
  isEnabled: !row.blocked,
})

/** A budget that begins anew is a limit. */
const balanceOf = ({ max_budget: budget, budget_duration: duration }: User | Team): number | null =>
  budgetPeriod(duration) === null ? budget : null

interface Facts {
  readonly name: string
  readonly email: string
  /** Dollars that are a balance; null: there is no such limit. */
  readonly budget: number | null
  readonly spend: number | null
  readonly createdAt: number | null
}

function userOf(id: number, { name, email, budget, spend, createdAt }: Facts): SourceUser {
  const used = quotaOf(spend ?? 0)
  return {
    id,
    username: name,
    passwordHash: '',
    displayName: name,
    role: 1,
    isEnabled: true,
    email,
    group: 'default',
    quota: quotaOf(budget ?? boundlessDollars) - (budget === null ? 0 : used),
    usedQuota: used,
    requestCount: 0,
    inviteCode: '',
    invited: 0,
    purse: 0,
    earned: 0,
    inviterId: 0,
    accessToken: '',
    identities: [],
    setting: {},
    createdAt,
    deletedAt: null,
  }
}
