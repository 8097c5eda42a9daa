import { isAddressOrRange, tokenRoutes, tokenStatus } from '@tollgate/contract'
import type { Updateable } from 'kysely'

import { isGroupUsable } from '../../accounts/callers/usable-groups'
import { AppError } from '../../platform/app-error'
import { partsOf } from '../../channels/catalog/channel-texts'
import type { OptionValues } from '../../channels/catalog/catalog'
import type { TokensTable } from '../../platform/store/tables/accounts'

type TokenFields = Partial<tokenRoutes.NewToken> & Pick<tokenRoutes.TokenEdit, 'status'>

/** What a save is judged by besides its own fields. */
export interface Owner {
  readonly group: string
  readonly options: OptionValues
}

/** Columns a person may write. The balance is not among them: the ledger sets it to the wanted amount. */
type Columns = Omit<Updateable<TokensTable>, 'id' | 'remain_quota' | 'granted_quota'>

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))

/** Returns the columns for the given fields, in canonical form. @throws AppError with the code of the first field that breaks its rule. */
export function tokenColumns(fields: TokenFields, owner: Owner): Columns {
  if (fields.remain_quota !== undefined) checkQuota(fields.remain_quota)
  const columns: Columns = {
    name: fields.name === undefined ? undefined : checkName(fields.name),
    status: fields.status === undefined ? undefined : checkStatus(fields.status),
    expired_time: fields.expired_time === undefined ? undefined : checkExpiry(fields.expired_time),
    unlimited_quota: flag(fields.unlimited_quota),
    was_unlimited: fields.unlimited_quota ? 1 : undefined,
    model_limits_enabled: flag(fields.model_limits_enabled),
    model_limits: fields.model_limits === undefined ? undefined : checkModels(fields.model_limits),
    allow_ips: fields.allow_ips === undefined ? undefined : checkIps(fields.allow_ips ?? ''),
    group: fields.group === undefined ? undefined : checkGroup(fields.group, owner),
    rate_limit_enabled: flag(fields.rate_limit_enabled),
    rate_limit_period: fields.rate_limit_period,
    rate_limit_count: fields.rate_limit_count,
    rate_limit_success: fields.rate_limit_success,
    response_cache: fields.response_cache,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function checkName(name: string): string {
  if (name === '') throw new AppError('token.name_empty')
  // Characters as people count them, not UTF-16 units.
  if (Array.from(name).length > tokenRoutes.maxTokenNameLength) throw new AppError('token.name_long')
  return name
}

/** Only these two can be chosen; expired and exhausted are derived. */
function checkStatus(status: number): number {
  if (status !== tokenStatus.enabled && status !== tokenStatus.disabled) throw new AppError('token.status')
  return status
}

/** The last second of the year 9999, the largest a date picker shows. */
const latestExpiry = 253_402_300_799

function checkExpiry(expiry: number): number {
  const isMoment = Number.isInteger(expiry) && expiry > 0 && expiry <= latestExpiry
  if (expiry !== -1 && !isMoment) throw new AppError('token.expiry')
  return expiry
}

function checkQuota(quota: number): void {
  if (!Number.isInteger(quota) || quota < 0 || quota > tokenRoutes.maxTokenQuota) throw new AppError('token.quota')
}

function checkModels(text: string): string {
  const models = partsOf(text)
  const isPlain = models.every((model) => model.length <= 255 && !/\p{Cc}/u.test(model))
  if (!isPlain || text.length > tokenRoutes.maxModelLimitsLength) throw new AppError('token.models')
  return models.join(',')
}

function checkIps(text: string): string {
  const addresses = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (text.length > tokenRoutes.maxAllowedIpsLength || !addresses.every(isAddressOrRange))
    throw new AppError('token.ips')
  return addresses.join('\n')
}

function checkGroup(group: string, { group: ownGroup, options }: Owner): string {
  if (group !== '' && !isGroupUsable(options, ownGroup, group)) throw new AppError('token.group')
  return group
}
