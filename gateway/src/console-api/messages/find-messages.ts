import { dayMs, type messageRoutes, type Page } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import { containing } from '../../platform/store/like'
import type { MessageRow } from '../../platform/store/tables'
import { startOfDay } from '../../platform/time/calendar'

export interface MessageFilter {
  /** Part of the title or the content. */
  readonly keyword?: string
  readonly start_date?: string
  readonly end_date?: string
}

/** Messages written by people; a notification of the gateway is visible to its user only. */
const selectAuthored = (query: Queries) =>
  query.selectFrom('messages').where('kind', '=', sql.lit('')).where('deleted_at', 'is', null)

/** Resolves with a page of messages, newest first. */
export async function findMessages(ctx: Context, filter: MessageFilter, { page, size, offset }: Page) {
  const { keyword } = filter
  const range = sentBetween(filter, ctx.catalog.current.options.SiteTimeZone)
  const found = selectAuthored(ctx.database.query)
    .$if(Boolean(keyword), (query) =>
      query.where((eb) =>
        eb.or([containing(eb.ref('title'), keyword ?? ''), containing(eb.ref('content'), keyword ?? '')]),
      ),
    )
    .$if(range !== null, (query) =>
      query.where('created_at', '>=', range?.from ?? 0).where('created_at', '<', range?.before ?? 0),
    )
  const rows = await found.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await messageEntities(ctx, rows), page, page_size: size, total }
}

/** @throws AppError `message.none`. */
export async function messageRow(ctx: Pick<Context, 'database'>, id: number): Promise<MessageRow> {
  const row = await selectAuthored(ctx.database.query).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('message.none')
  return row
}

/** @throws AppError `message.none`. */
export async function oneMessage(ctx: Context, id: number): Promise<messageRoutes.MessageEntity> {
  const [entity] = await messageEntities(ctx, [await messageRow(ctx, id)])
  if (!entity) throw new AppError('message.none')
  return entity
}

async function messageEntities(
  { database }: Pick<Context, 'database'>,
  rows: readonly MessageRow[],
): Promise<messageRoutes.MessageEntity[]> {
  const ids = [...new Set(rows.map(({ created_by: id }) => id))]
  const authors =
    ids.length === 0
      ? []
      : await database.query.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  const names = new Map(authors.map(({ id, username }) => [id, username]))
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    content: row.content,
    format: formatOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    created_by: row.created_by,
    created_by_name: names.get(row.created_by) ?? '',
    audience: { kind: audienceOf(row), value: row.audience_value },
    send_mail: row.send_mail === 1,
    stats: statsOf(row),
  }))
}

export const formatOf = ({ format }: Pick<MessageRow, 'format'>): messageRoutes.MessageFormat =>
  format === 'html' ? 'html' : 'markdown'

const audienceOf = ({ audience }: MessageRow): messageRoutes.MessageEntity['audience']['kind'] =>
  audience === 'all' || audience === 'group' || audience === 'role' || audience === 'model' ? audience : 'users'

const statsOf = ({ total_recipients: total, read_count: read }: MessageRow) => ({
  total_recipients: total,
  read_count: read,
  unread_count: total - read,
  read_rate: total === 0 ? 0 : read / total,
})

/** Two ISO dates or times. */
interface Range {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/
/** In years that have four digits everywhere, as those after them. */
const isInCalendar = /^(?:19[7-9]|[2-8]\d\d)/
const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i

/**
 * Returns the time, in Unix seconds, that a range encloses, its last day or second included; null unless both ends are given. A day is in
 * the site's time zone, a time without an offset in UTC.
 * @throws AppError `message.date`.
 */
function sentBetween(
  { start_date: start, end_date: end }: Range,
  timeZone: string,
): { readonly from: number; readonly before: number } | null {
  if (!start || !end) return null
  return { from: secondsOf(start, timeZone), before: secondsAfter(end, timeZone) }
}

const secondsOf = (text: string, timeZone: string): number =>
  isoDay.test(text) ? startOfDay(checkedDay(text), timeZone) : Math.floor(timeIn(text) / 1000)

function secondsAfter(text: string, timeZone: string): number {
  if (!isoDay.test(text)) return Math.floor(timeIn(text) / 1000) + 1
  const next = new Date(Date.parse(checkedDay(text)) + dayMs).toISOString().slice(0, 10)
  return startOfDay(next, timeZone)
}

function checkedDay(text: string): string {
  // JavaScript takes the 30th of February for the 2nd of March.
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text || !isInCalendar.test(text))
    throw notADate(text)
  return text
}

function timeIn(text: string): number {
  const [, date, time, offset] = isoTime.exec(text) ?? []
  if (date === undefined) throw notADate(text)
  const ms = Date.parse(`${checkedDay(date)}T${time}${offset ?? 'Z'}`)
  if (Number.isNaN(ms)) throw notADate(text)
  return ms
}

const notADate = (text: string) => new AppError('message.date', { params: { date: text } })
