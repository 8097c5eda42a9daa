import type { Page, tokenRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import { containing } from '../../store/like'
import type { TokenRow } from '../../store/tables'
import { keyOf, tokenEntities } from './token-entity'

export interface TokenFilter {
  /** Part of the name. */
  readonly keyword?: string
  /** Part of the key, with or without `sk-`. */
  readonly token?: string
}

/** A page of the user's tokens, newest first. */
export async function findTokens(ctx: Context, userId: number, filter: TokenFilter, { page, size, offset }: Page) {
  const found = tokensOf(ctx, userId, filter.keyword)
  const part = filter.token?.replace(/^sk-/, '') ?? ''
  if (part !== '') {
    // Keys are sealed, so the database cannot search in them; a user has a bounded number of tokens.
    const rows = (await found.selectAll().orderBy('id', 'desc').execute()).filter((row) =>
      keyOf(ctx, row).includes(part),
    )
    const items = await tokenEntities(ctx, rows.slice(offset, offset + size))
    return { items, page, page_size: size, total: rows.length }
  }
  const rows = await found.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await tokenEntities(ctx, rows), page, page_size: size, total }
}

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
export async function oneToken(ctx: Context, userId: number, tokenId: number): Promise<tokenRoutes.TokenEntity> {
  const [entity] = await tokenEntities(ctx, [await tokenRow(ctx, userId, tokenId)])
  if (!entity) throw new AppError('token.none')
  return entity
}
