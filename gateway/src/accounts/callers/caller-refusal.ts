import { tokenStatus, userStatus, type OptionValues } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Account, ApiKey } from './account'
import { isGroupUsable } from './usable-groups'

/** A user who calls in a group, with a key or (null) from the playground. */
interface CallingParty {
  readonly account: Pick<Account, 'status' | 'group'>
  readonly key: Pick<ApiKey, 'status' | 'expiresAt' | 'models'> | null
  readonly group: string
}

/** Returns why the key or the user may not call any model; null when both may. `now` is in milliseconds. */
export function accountRefusal({ key, account }: CallingParty, now: number): AppError | null {
  if (key) {
    if (key.status === tokenStatus.exhausted) return new AppError('key.exhausted')
    if (key.status === tokenStatus.expired) return new AppError('key.expired')
    if (key.status !== tokenStatus.enabled) return new AppError('key.disabled')
    if (key.expiresAt !== -1 && key.expiresAt * 1000 <= now) return new AppError('key.expired')
  }
  return account.status === userStatus.enabled ? null : new AppError('caller.banned')
}

type GroupOptions = Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups' | 'GroupGroupRatio'>

/** Returns why the group may not be used; null when it may. */
export function groupRefusal({ key, account, group }: CallingParty, options: GroupOptions): AppError | null {
  if (group === account.group) return null
  if (options.GroupRatio[group] === undefined && key) return new AppError('caller.group_gone', { params: { group } })
  if (isGroupUsable(options, account.group, group)) return null
  return key ? new AppError('caller.group', { params: { group } }) : new AppError('playground.group')
}

/** Returns why the key may not call this model, whatever channel it is pinned to; null when it may. */
export const modelRefusal = ({ key }: Pick<CallingParty, 'key'>, model: string): AppError | null =>
  !key?.models || key.models.has(model) ? null : new AppError('caller.model', { params: { model } })
