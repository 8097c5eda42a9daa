import { z } from 'zod'

import type { SourceToken, SourceUser } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { flag, int, object, seconds, text, trimmed, value } from '../source/values'

/** Quota that is a dollar, as everywhere by default. */
const quotaPerDollar = 500_000
const quotaOf = (dollars: number): number => Math.round(dollars * quotaPerDollar)

/** What a user without a budget gets, in dollars: LiteLLM has no balances. */
export const boundlessDollars = 1_000_000

const dollars = value.transform((stored) => (stored === null || stored === '' ? null : Number(stored)))
const list = value.transform((stored): readonly string[] => List.safeParse(stored).data ?? [])
const List = z.array(z.string())

/** https://github.com/BerriAI/litellm/blob/main/schema.prisma */
const User = z.object({
  user_id: text,
  user_alias: trimmed,
  user_email: trimmed,
  max_budget: dollars,
  spend: dollars,
  created_at: seconds,
})

/** The user of keys without one has the first id. */
const ownerId = 1
const ownerName = 'litellm'

/** Yields the owner of keys without a user, and LiteLLM's users. They have no passwords here. */
export async function* readUsers(source: ReadableTable | null): AsyncGenerator<readonly SourceUser[]> {
  yield [
    userOf(ownerId, {
      user_id: ownerName,
      user_alias: '',
      user_email: '',
      max_budget: null,
      spend: 0,
      created_at: null,
    }),
  ]
  if (!source) return
  let last = ownerId
  for await (const rows of readTable(source, { table: 'LiteLLM_UserTable', key: 'user_id', schema: User }))
    yield rows.map((row) => userOf((last += 1), row))
}

function userOf(id: number, { user_id: name, user_alias, user_email, ...row }: z.output<typeof User>): SourceUser {
  const used = quotaOf(row.spend ?? 0)
  return {
    id,
    username: name,
    passwordHash: '',
    displayName: user_alias || name,
    role: 1,
    isEnabled: true,
    email: user_email,
    group: 'default',
    quota: quotaOf(row.max_budget ?? boundlessDollars) - (row.max_budget === null ? 0 : used),
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
    createdAt: row.created_at,
    deletedAt: null,
  }
}

const Key = z.object({
  token: text,
  key_name: trimmed,
  key_alias: trimmed,
  spend: dollars,
  max_budget: dollars,
  expires: seconds,
  models: list,
  user_id: text,
  team_id: text,
  rpm_limit: int,
  blocked: flag,
  created_at: seconds,
  metadata: object,
})
type Key = z.output<typeof Key>

/** Keys that LiteLLM's own console makes for each sign-in. */
const consoleTeam = 'litellm-dashboard'

/** Yields the master key, which clients use as well, and the virtual keys. */
export async function* readTokens(
  source: ReadableTable | null,
  masterKey: string,
  now: number,
): AsyncGenerator<readonly SourceToken[]> {
  let last = 0
  if (masterKey !== '') yield [tokenOf((last += 1), ownerId, masterRow(masterKey), now)]
  if (!source) return
  const owners = await ownersOf(source)
  for await (const rows of readTable(source, { table: 'LiteLLM_VerificationToken', key: 'token', schema: Key }))
    yield rows
      .filter(({ team_id: team }) => team !== consoleTeam)
      .map((row) => tokenOf((last += 1), owners.get(row.user_id) ?? ownerId, row, now))
}

const masterRow = (key: string): Key => Key.parse({ token: key, key_alias: 'master key' })

/** Ids as they are given to users, by those of LiteLLM. A gateway with virtual keys has few users. */
async function ownersOf(source: ReadableTable): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>()
  for await (const users of readUsers(source)) for (const { id, username } of users) owners.set(username, id)
  return owners
}

const hash = /^[\da-f]{64}$/

/** Names of lists that LiteLLM keeps elsewhere. */
const isOpenList = (model: string): boolean => model.startsWith('all-')

function tokenOf(id: number, userId: number, row: Key, now: number): SourceToken {
  const used = quotaOf(row.spend ?? 0)
  const models = row.models.filter((model) => !isOpenList(model))
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
    remainQuota: row.max_budget === null ? 0 : quotaOf(row.max_budget) - used,
    usedQuota: used,
    isUnlimited: row.max_budget === null,
    models: models.length === 0 ? null : models,
    addresses: [],
    group: '',
    rateLimit: row.rpm_limit > 0 ? { seconds: 60, calls: row.rpm_limit, served: row.rpm_limit } : null,
    deletedAt: null,
  }
}
