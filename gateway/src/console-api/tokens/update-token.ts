import { tokenStatus, type tokenRoutes } from '@tollgate/contract'

import { quotaEdit, type QuotaEdit } from '../../billing/ledger/balances'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'
import type { TokenRow } from '../../platform/store/tables'
import { oneToken, tokenRow } from './find-tokens'
import { statusNow, type ShownKey } from './token-entity'
import { tokenColumns } from './token-rules'

interface Owner extends Pick<Caller, 'userId' | 'group'> {
  readonly shownKey: ShownKey
}

/**
 * Changes what the edit names. A token is enabled only when it works then: an expiry or a quota of the same edit counts.
 * @throws AppError `token.none`, `token.expired_enable`, `token.exhausted_enable` and the codes of `tokenColumns`.
 */
export async function updateToken(
  ctx: Context,
  owner: Owner,
  edit: tokenRoutes.TokenEdit,
): Promise<tokenRoutes.TokenEntity> {
  const before = await tokenRow(ctx, owner.userId, edit.id)
  const quota = quotaEdit(edit.remain_quota, edit.remain_quota_read)
  const changes = await changesOf(ctx, before, quota.kind === 'keep' ? { ...edit, remain_quota: undefined } : edit)
  const columns = tokenColumns(changes, { group: owner.group, options: ctx.catalog.current.options })
  if (edit.status === tokenStatus.enabled) {
    refuseUseless(ctx, { ...before, ...columns }, await balanceAfter(quota, edit.id, ctx))
  }
  const change = await ctx.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('tokens')
      // Something is always set, so that the row exists and is locked even when only the quota changes.
      .set({ ...columns, id: edit.id })
      .where('id', '=', edit.id)
      .where('user_id', '=', owner.userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('token.none')
    await ctx.changes.announce({ topic: 'token', refId: edit.id }, transaction)
    return changeBalance(quota, edit.id, ctx, transaction)
  })
  await ctx.changes.deliver()
  if (change < 0) await ctx.ledger.whenRecalled('token', edit.id)
  return oneToken(ctx, owner.userId, edit.id, owner.shownKey)
}

async function balanceAfter(edit: QuotaEdit, tokenId: number, { ledger }: Context): Promise<number> {
  if (edit.kind === 'set') return edit.quota
  const present = (await ledger.tokenBalanceOf([tokenId])).get(tokenId) ?? 0
  return edit.kind === 'change' ? present + edit.amount : present
}

/** Resolves with the change of the balance. */
async function changeBalance(edit: QuotaEdit, tokenId: number, { ledger }: Context, transaction: Transaction) {
  if (edit.kind === 'keep') return 0
  if (edit.kind === 'set') return ledger.adjustTokenBalance(tokenId, edit.quota, transaction)
  await ledger.changeTokenBalance(tokenId, edit.amount, transaction)
  return edit.amount
}

/**
 * Returns the edit without what it sends back unchanged and cannot choose: a group the user lost meanwhile, and the statuses expired and
 * exhausted, which are derived.
 */
async function changesOf(ctx: Context, before: TokenRow, edit: tokenRoutes.TokenEdit): Promise<tokenRoutes.TokenEdit> {
  const group = edit.group === before.group ? undefined : edit.group
  const isChosen = edit.status === tokenStatus.enabled || edit.status === tokenStatus.disabled
  if (edit.status === undefined || isChosen) return { ...edit, group }
  const balance = (await ctx.ledger.tokenBalanceOf([edit.id])).get(edit.id) ?? 0
  const isUnchanged = edit.status === statusNow(before, balance, ctx.clock.seconds())
  return { ...edit, group, status: isUnchanged ? undefined : edit.status }
}

type Validity = Parameters<typeof statusNow>[0]

function refuseUseless(ctx: Context, row: Validity, balance: number): void {
  const status = statusNow(row, balance, ctx.clock.seconds())
  if (status === tokenStatus.expired) throw new AppError('token.expired_enable')
  if (status === tokenStatus.exhausted) throw new AppError('token.exhausted_enable')
}

/** Deletes these tokens of the user; resolves with how many there were. The rows stay, as logs and charges name them. */
export async function deleteTokens(ctx: Context, userId: number, tokenIds: readonly number[]): Promise<number> {
  const count = await ctx.database.query.transaction().execute(async (transaction) => {
    const rows = await transaction
      .updateTable('tokens')
      .set({ deleted_at: ctx.clock.seconds() })
      .where('user_id', '=', userId)
      .where('id', 'in', tokenIds)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute()
    for (const { id } of rows) await ctx.changes.announce({ topic: 'token', refId: id }, transaction)
    return rows.length
  })
  await ctx.changes.deliver()
  return count
}
