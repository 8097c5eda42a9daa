import { isAddressOrRange, tokenStatus } from '@tollgate/contract'
import type { Insertable } from 'kysely'

import { partsOf } from '../../../channels/catalog/channel-texts'
import { statusNow } from '../../../console-api/tokens/token-entity'
import { sha256 } from '../../../platform/store/seal'
import type { TokensTable } from '../../../platform/store/tables/accounts'
import type { SiteSource, SourceToken } from '../site-source'
import { noteLargeFigures, slicesOf, type ImportTarget } from './import-target'

type Row = Insertable<TokensTable> & { readonly id: number }

/** Imports all keys. Clients go on with the key that they have. */
export async function writeTokens(source: SiteSource, target: ImportTarget): Promise<void> {
  for await (const tokens of source.tokens()) {
    const owners = await ownersOf(tokens, target)
    const hashes = await takenHashes(tokens, target)
    const rows = tokens
      .filter((token) => isOwned(token, owners, target) && isNew(token, hashes, target))
      .map((token) => columnsOf(token, target))
    for (const some of slicesOf(rows)) await target.transaction.insertInto('tokens').values(some).execute()
    target.report.count('keys', rows.length)
  }
}

const label = ({ id, name, userId }: SourceToken): string => `${name || '(no name)'} #${id} of user #${userId}`

async function ownersOf(tokens: readonly SourceToken[], { transaction }: ImportTarget): Promise<ReadonlySet<number>> {
  const ids = [...new Set(tokens.map(({ userId }) => userId))]
  const rows = await transaction.selectFrom('users').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

function isOwned(token: SourceToken, owners: ReadonlySet<number>, { report }: ImportTarget): boolean {
  if (owners.has(token.userId)) return true
  leaveOut(token, 'keys of users who are gone, left out', report)
  return false
}

function leaveOut(token: SourceToken, reason: string, report: ImportTarget['report']): void {
  report.note(reason, label(token))
  report.leaveOut('keys')
  report.leaveOut('rest of keys', token.remainQuota)
  report.leaveOut('used quota of keys', token.usedQuota)
}

const hashOf = ({ key }: SourceToken): string => ('hash' in key ? key.hash : sha256(key.plain))

async function takenHashes(tokens: readonly SourceToken[], { transaction }: ImportTarget): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('tokens')
    .select('key_hash')
    .where('key_hash', 'in', tokens.map(hashOf))
    .execute()
  return new Set(rows.map(({ key_hash: hash }) => hash))
}

function isNew(token: SourceToken, taken: Set<string>, { report }: ImportTarget): boolean {
  const hash = hashOf(token)
  const isEmpty = 'plain' in token.key && token.key.plain === ''
  if (!isEmpty && !taken.has(hash)) {
    taken.add(hash)
    return true
  }
  leaveOut(token, 'keys without a text of their own, left out', report)
  return false
}

function columnsOf(token: SourceToken, target: ImportTarget): Row {
  const { seal, at } = target
  const limits = limitsOf(token, target)
  noteLargeFigures(target, `key ${label(token)}`, [token.remainQuota, token.usedQuota])
  const row = {
    id: token.id,
    user_id: token.userId,
    key_hash: hashOf(token),
    key_sealed: 'plain' in token.key ? seal.seal(token.key.plain, `tokens.key_sealed#${token.id}`) : '',
    name: token.name,
    // Before the import, so that its figures are known to be those of another gateway.
    created_time: Math.min(token.createdAt, at - 1),
    accessed_time: token.accessedAt,
    expired_time: token.expiresAt,
    remain_quota: token.remainQuota,
    used_quota: token.usedQuota,
    granted_quota: token.remainQuota + token.usedQuota,
    was_unlimited: Number(token.isUnlimited),
    unlimited_quota: Number(token.isUnlimited),
    group: token.group,
    ...rateLimitOf(token),
    ...limits.columns,
    deleted_at: token.deletedAt,
  }
  return {
    ...row,
    status:
      token.isEnabled && !limits.isUnclear && !isReopened(token, row, target)
        ? tokenStatus.enabled
        : tokenStatus.disabled,
  }
}

/** What the source refuses as expired or exhausted stays refused, though its time and quota would let it pass. */
function isReopened(
  token: SourceToken,
  row: Pick<Row, 'remain_quota'> & { readonly expired_time: number; readonly unlimited_quota: number },
  { at, report }: ImportTarget,
): boolean {
  const now = statusNow({ ...row, status: tokenStatus.enabled }, token.remainQuota, at)
  if (!token.isRefused || now !== tokenStatus.enabled) return false
  report.note('keys marked as expired or exhausted that would be valid, disabled', label(token))
  return true
}

/** What a new key has. */
const noLimit = { seconds: 60, calls: 1000, served: 10 }

function rateLimitOf({ rateLimit }: SourceToken) {
  const { seconds, calls, served } = rateLimit ?? noLimit
  return {
    rate_limit_enabled: Number(rateLimit !== null),
    rate_limit_period: Math.max(seconds, 1),
    rate_limit_count: Math.max(calls, 0),
    rate_limit_success: Math.max(served, 0),
  }
}

interface Limits {
  readonly columns: Pick<Row, 'model_limits_enabled' | 'model_limits' | 'allow_ips'>
  /** A key without its limits must not be used. */
  readonly isUnclear: boolean
}

function limitsOf(token: SourceToken, { report }: ImportTarget): Limits {
  const models = partsOf((token.models ?? []).join(',')).filter(
    (model) => model.length <= 255 && !/\p{Cc}/u.test(model),
  )
  const addresses = token.addresses.filter(isAddressOrRange)
  const isUnclear = token.addresses.length > 0 && addresses.length === 0
  if (isUnclear) report.note('keys whose allowed addresses cannot be read, disabled', label(token))
  else if (addresses.length < token.addresses.length)
    report.note('keys with allowed addresses that cannot be read, without these', label(token))
  return {
    columns: {
      model_limits_enabled: token.models === null ? 0 : 1,
      model_limits: models.join(','),
      allow_ips: addresses.join('\n'),
    },
    isUnclear,
  }
}
