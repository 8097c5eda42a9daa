import type { Page, tokenRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { keysNearLimit } from '../../billing/ledger/window/near-limit'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import { containing } from '../../platform/store/like'
import type { TokenRow } from '../../platform/store/tables'
import { refineTokens, type TokenRefinement } from './refine-tokens'
import { tokenEntities, type ShownKey } from './token-entity'

interface TokenFilter extends TokenRefinement {
  /** Part of the name. */
  readonly keyword?: string
  readonly near_limit?: boolean
}

/** Whose tokens are found, and how their keys are shown: a search finds no more of a key than is shown. */
interface Finder extends Pick<Caller, 'userId' | 'group'> {
  readonly shownKey: ShownKey
}

/** Resolves with a page of the user's tokens, newest first unless sorted otherwise. */
export async function findTokens(ctx: Context, owner: Finder, filter: TokenFilter, { page, size, offset }: Page) {
  const { keyword, near_limit: isNear, ...refinement } = filter
  const found = tokensOf(ctx, owner.userId, keyword).$if(Boolean(isNear), (query) =>
    query.where('id', 'in', keysNearLimit(ctx.clock.seconds())),
  )
  const inOrder = found.selectAll().orderBy('id', 'desc')
  if (isRefined(refinement)) {
    // Keys are sealed and statuses depend on time and balance, so the database knows neither; a user has a bounded number of tokens.
    const rows = await refineTokens(ctx, await inOrder.execute(), {
      ...refinement,
      ownGroup: owner.group,
      shownKey: owner.shownKey,
    })
    const items = await tokenEntities(ctx, rows.slice(offset, offset + size), owner.shownKey)
    return { items, page, page_size: size, total: rows.length }
  }
  const rows = await inOrder.limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await tokenEntities(ctx, rows, owner.shownKey), page, page_size: size, total }
}

const isRefined = ({ token, either, status, group, sort }: TokenRefinement) =>
  [token, either, status, group, sort].some(Boolean)

const tokensOf = (ctx: Context, userId: number, keyword: string | undefined) =>
  ctx.database.query
    .selectFrom('tokens')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(Boolean(keyword), (query) => query.where(containing(sql.ref('tokens.name'), keyword ?? '')))

/** @throws AppError `token.none` when the user has no such token. */
export async function tokenRow(ctx: Context, userId: number, tokenId: number): Promise<TokenRow> {
  const row = await tokensOf(ctx, userId, undefined).selectAll().where('id', '=', tokenId).executeTakeFirst()
  if (!row) throw new AppError('token.none')
  return row
}

/** @throws AppError `token.none` when the user has no such token. */
export async function oneToken(
  ctx: Context,
  userId: number,
  tokenId: number,
  shownKey: ShownKey,
): Promise<tokenRoutes.TokenEntity> {
  const [entity] = await tokenEntities(ctx, [await tokenRow(ctx, userId, tokenId)], shownKey)
  if (!entity) throw new AppError('token.none')
  return entity
}
