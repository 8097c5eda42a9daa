import type { tokenRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { TokenRow } from '../../platform/store/tables'
import { statusNow, type ShownKey } from './token-entity'

/** Conditions and order of tokens that the database cannot apply. */
export interface TokenRefinement {
  /** Part of the key, with or without `sk-`. */
  readonly token?: string
  /** Part of the name or of the key. */
  readonly either?: string
  /** 0: any. */
  readonly status?: number
  /** The group in which the token calls. */
  readonly group?: string
  readonly sort?: tokenRoutes.TokenSorting
  readonly descending?: boolean
}

interface TokenQuery extends TokenRefinement {
  /** For tokens without a group. */
  readonly ownGroup: string
  readonly shownKey: ShownKey
}

/** Resolves with the tokens that meet all conditions, sorted; in the given order where they are equal. */
export async function refineTokens(
  ctx: Context,
  rows: readonly TokenRow[],
  tokenQuery: TokenQuery,
): Promise<TokenRow[]> {
  const { token, either, status, group, ownGroup, shownKey, sort, descending } = tokenQuery
  const isNamed = (row: TokenRow) => row.name.toLowerCase().includes((either ?? '').toLowerCase())
  const inGroup = rows.filter((row) => !group || (row.group || ownGroup) === group)
  const found = inGroup.filter(
    (row) => hasInKey(shownKey(row), token) && (!either || isNamed(row) || hasInKey(shownKey(row), either)),
  )
  if (!status && !sort) return found
  const balances = await ctx.ledger.tokenBalanceOf(found.map(({ id }) => id))
  const balanceOf = ({ id }: TokenRow) => balances.get(id) ?? 0
  const now = ctx.clock.seconds()
  const matching = found.filter((row) => !status || statusNow(row, balanceOf(row), now) === status)
  if (!sort) return matching
  const valueOf = sortValues(balanceOf)[sort]
  const direction = descending ? -1 : 1
  return matching.toSorted((one, other) => direction * compare(valueOf(one), valueOf(other)))
}

function hasInKey(key: string, part: string | undefined): boolean {
  const letters = part?.replace(/^sk-/, '')
  return !letters || key.includes(letters)
}

type Value = string | number

/** What never expires or is not limited comes after everything else. */
const sortValues = (
  balanceOf: (row: TokenRow) => number,
): Record<tokenRoutes.TokenSorting, (row: TokenRow) => Value> => ({
  name: ({ name }) => name.toLowerCase(),
  created: ({ created_time: at }) => at,
  used: ({ accessed_time: at }) => at,
  spent: ({ used_quota: quota }) => quota,
  left: (row) => (row.unlimited_quota === 1 ? Infinity : balanceOf(row)),
  expires: ({ expired_time: at }) => (at === -1 ? Infinity : at),
})

const compare = (one: Value, other: Value) => (one === other ? 0 : one < other ? -1 : 1)
