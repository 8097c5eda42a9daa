import type { channelRoutes, Page } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { containing, equalFolded } from '../../platform/store/like'
import type { ChannelRow, Tables } from '../../platform/store/tables'
import { channelEntity } from './channel-entity'
import { compareValues, sortColumns, sortValues, type SortedRow, type SortValue } from './sort-channels'

export interface ChannelFilter {
  readonly id_sort?: boolean
  readonly tag_mode?: boolean
  readonly sort?: (typeof channelRoutes.channelSorts)[number]
  readonly descending?: boolean
  readonly keyword?: string
  readonly group?: string
  /** Part of a model's name. */
  readonly model?: string
  readonly tag?: string
  readonly status?: number
  readonly type?: number
}

/**
 * Resolves with a page of channels: by descending priority, by descending id, or as `sort` says. In tag mode a page counts tags and
 * untagged channels, each at the position of its first channel, and has all found channels of its tags.
 */
export async function findChannels(ctx: Context, query: ChannelFilter, { page, size, offset }: Page) {
  const found = selectChannels(ctx).where((eb) => eb.and(conditions(eb, query)))
  const { rows, total } = await pageOf(ctx, found, query, { size, offset })
  return { items: rows.map((row) => channelEntity(ctx, row)), page, page_size: size, total }
}

type Span = Pick<Page, 'size' | 'offset'>

async function pageOf(ctx: Context, found: Found, query: ChannelFilter, span: Span) {
  if (query.sort) return sortedPage(found, query, await sortValues(ctx, query.sort), span)
  return query.tag_mode ? pageOfUnits(found, query, span) : pageOfRows(found, query, span)
}

const selectChannels = (ctx: Context) => ctx.database.query.selectFrom('channels')
type Found = ReturnType<typeof selectChannels>

function conditions(eb: ExpressionBuilder<Tables, 'channels'>, query: ChannelFilter): Expression<SqlBool>[] {
  const { keyword, group, model, tag, status, type } = query
  const restrictions: Expression<SqlBool>[] = []
  if (keyword) restrictions.push(matching(eb, keyword))
  if (group && group !== 'null')
    restrictions.push(containing(sql`',' || ${sql.ref('channels.group')} || ','`, `,${group},`))
  if (model) restrictions.push(containing(sql.ref('channels.models'), model))
  if (tag) restrictions.push(eb('tag', '=', tag))
  if (status !== undefined) restrictions.push(eb('status', '=', status))
  if (type !== undefined) restrictions.push(eb('type', '=', type))
  return restrictions
}

function matching(eb: ExpressionBuilder<Tables, 'channels'>, keyword: string) {
  const texts = (['name', 'base_url'] as const).map((column) => containing(sql.ref(`channels.${column}`), keyword))
  return eb.or(isId(keyword) ? [...texts, eb('id', '=', Number(keyword))] : texts)
}

/** 0 for the channel whose id or whole name the keyword is, 1 for all others. */
function rankOf(keyword = '') {
  const isName = equalFolded(sql.ref('channels.name'), keyword)
  const isExactly = isId(keyword) ? sql`(${isName} or id = ${Number(keyword)})` : isName
  return sql<number>`case when ${isExactly} then 0 else 1 end`
}

const isId = (keyword: string) => /^\d{1,15}$/.test(keyword)

async function pageOfRows(found: Found, { id_sort: isById, keyword }: ChannelFilter, { size, offset }: Span) {
  const rows = await found
    .selectAll()
    .$if(Boolean(keyword), (query) => query.orderBy(rankOf(keyword)))
    .$if(!isById, (query) => query.orderBy('priority', 'desc'))
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** A tag, or an untagged channel by its id; the two cannot collide. */
const unit = sql<string>`case when coalesce(tag, '') = '' then '#' || id else 't' || tag end`

async function pageOfUnits(found: Found, { id_sort: isById, keyword }: ChannelFilter, { size, offset }: Span) {
  const units = found.select(unit.as('unit')).groupBy(unit)
  const page = await units
    .$if(Boolean(keyword), (query) => query.orderBy(sql`min(${rankOf(keyword)})`))
    .$if(!isById, (query) => query.orderBy(sql`max(priority)`, 'desc'))
    .orderBy(sql`max(id)`, 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found
    .select((eb) => eb.fn.count<number>(unit).distinct().as('total'))
    .executeTakeFirstOrThrow()
  if (page.length === 0) return { rows: [], total }
  const names = page.map((row) => row.unit)
  const rows = await found
    .selectAll()
    .select([unit.as('unit'), rankOf(keyword).as('rank')])
    .where(unit, 'in', names)
    .execute()
  const positions = new Map(names.map((name, index) => [name, index]))
  const indexOfUnit = (row: { unit: string }) => positions.get(row.unit) ?? 0
  const inside = (a: ChannelRow, b: ChannelRow) => (isById ? 0 : b.priority - a.priority) || b.id - a.id
  const ordered = rows.sort((a, b) => indexOfUnit(a) - indexOfUnit(b) || a.rank - b.rank || inside(a, b))
  return { rows: ordered.map(({ unit: _unit, rank: _rank, ...row }) => row), total }
}

/**
 * Resolves with a page in an order that no index has, or that the channels' table does not know: few enough channels are listed to sort
 * all of them. A tag is at the position of its first channel.
 */
async function sortedPage(
  found: Found,
  { tag_mode: isTagMode, descending: isDescending = false }: ChannelFilter,
  valueOf: (row: SortedRow) => SortValue,
  { size, offset }: Span,
) {
  const listed = await found.select(['id', 'tag', unit.as('unit'), ...sortColumns]).execute()
  const ordered = listed
    .map((row) => ({ id: row.id, unit: isTagMode ? row.unit : row.id, value: valueOf(row) }))
    .sort((one, other) => compareValues(one.value, other.value) * (isDescending ? -1 : 1) || other.id - one.id)
  const units = Map.groupBy(ordered, (row) => row.unit)
  const ids = [...units.values()].slice(offset, offset + size).flatMap((rows) => rows.map(({ id }) => id))
  const rows = ids.length === 0 ? [] : await found.selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total: units.size }
}

/** @throws AppError `channel.none`. */
export async function channelRow(ctx: Context, channelId: number): Promise<ChannelRow> {
  const row = await selectChannels(ctx).selectAll().where('id', '=', channelId).executeTakeFirst()
  if (!row) throw new AppError('channel.none')
  return row
}

/** @throws AppError `channel.none`. */
export const oneChannel = async (ctx: Context, channelId: number): Promise<channelRoutes.ChannelEntity> =>
  channelEntity(ctx, await channelRow(ctx, channelId))
