import { hasEnded, taskRoutes, type Page } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'

import type { Queries } from '../../platform/store/database'
import type { TaskRow, Tables } from '../../platform/store/tables'
import type { TaskFilter } from './task-filter'

/** Without what only the engine reads. */
const columns = [
  'id',
  'public_id',
  'platform',
  'action',
  'model',
  'user_id',
  'username',
  'token_name',
  'group',
  'channel_id',
  'channel_name',
  'key_fingerprint',
  'upstream_model',
  'vendor_id',
  'status',
  'progress',
  'fail_reason',
  'prompt',
  'prompt_en',
  'request',
  'data',
  'results',
  'quota',
  'submitted_at',
  'started_at',
  'finished_at',
] as const satisfies (keyof TaskRow)[]

/** A task with the quota that is held for it. */
export type ListedTask = Pick<TaskRow, (typeof columns)[number]> & { readonly held: number }

interface TaskList {
  readonly rows: readonly ListedTask[]
  readonly total: number
  /** Counting stopped before the last row. */
  readonly isTotalLowerBound: boolean
}

const { maxCountedTasks } = taskRoutes

/**
 * Resolves with a page of tasks: newest first, or the newest that are counted as `sort` says. Each platform is read in the order of an index
 * of its own.
 */
export async function findTasks(queries: Queries, filter: TaskFilter, page: Page): Promise<TaskList> {
  const branches = branchesOf(filter)
  const total = await countTasks(queries, branches)
  return {
    rows: page.offset < Math.min(total, maxCountedTasks) ? await pageOfTasks(queries, branches, filter, page) : [],
    total: Math.min(total, maxCountedTasks),
    isTotalLowerBound: total > maxCountedTasks,
  }
}

type Builder = ExpressionBuilder<Tables, 'tasks'>
/** Rows that one index has in the order they are shown in. */
type Branch = (eb: Builder) => Expression<SqlBool>

/** Returns a branch for each platform; one for rows that are named, whose other columns are written so that no index is used for them. */
function branchesOf(filter: TaskFilter): readonly Branch[] {
  const { platforms, publicId, ids } = filter
  if (platforms.length === 0) return []
  if (publicId === undefined && ids === undefined)
    return platforms.map((platform) => (eb) => eb.and([eb('platform', '=', platform), ...conditions(eb, filter)]))
  return [(eb) => eb.and([eb(sql`platform || ''`, 'in', platforms), ...conditions(eb, filter)])]
}

function conditions(eb: Builder, filter: TaskFilter): Expression<SqlBool>[] {
  const { userId, isOwn, channelId, publicId, status, action, ids, from, to } = filter
  const isNamed = publicId !== undefined || ids !== undefined
  return [
    ...(userId === undefined ? [] : [eb(isNamed ? sql`user_id + 0` : 'user_id', '=', userId ?? -1)]),
    ...(isOwn ? [eb('deleted_at', 'is', null)] : []),
    // A user has fewer tasks than a channel, which SQLite does not know.
    ...(channelId === undefined
      ? []
      : [eb(isNamed || userId !== undefined ? sql`channel_id + 0` : 'channel_id', '=', channelId)]),
    ...(publicId === undefined ? [] : [eb('public_id', '=', publicId)]),
    ...(status === undefined ? [] : [eb('status', '=', status)]),
    ...(action === undefined ? [] : [eb('action', '=', action)]),
    ...(ids === undefined ? [] : [eb('id', 'in', ids.length === 0 ? [-1] : [...ids])]),
    ...(from === undefined ? [] : [eb('submitted_at', '>=', from)]),
    ...(to === undefined ? [] : [eb('submitted_at', '<=', to)]),
  ]
}

/** Counts each branch no further than one more than is shown. */
async function countTasks(queries: Queries, branches: readonly Branch[]): Promise<number> {
  const [first, ...others] = branches.map((branch) => {
    const some = queries
      .selectFrom('tasks')
      .select(sql`1`.as('one'))
      .where(branch)
      .limit(maxCountedTasks + 1)
    return queries.selectFrom(some.as('some')).select((eb) => eb.fn.countAll<number>().as('count'))
  })
  const counts = await others.reduce((all, one) => all?.unionAll(one), first)?.execute()
  return (counts ?? []).reduce((sum, { count }) => sum + count, 0)
}

/** What has not ended has no duration. */
const values = {
  duration: sql<number | null>`case when finished_at > 0 then finished_at - submitted_at end`,
  cost: sql<number | null>`quota`,
} satisfies Record<taskRoutes.TaskSort, RawBuilder<number | null>>

async function pageOfTasks(
  queries: Queries,
  branches: readonly Branch[],
  { sort, isDescending = false }: TaskFilter,
  { offset, size }: Page,
) {
  const [first, ...others] = branches.map((branch) => {
    const newest = queries
      .selectFrom('tasks')
      .select(['submitted_at', 'id'])
      .$if(sort !== undefined, (rows) => rows.select(values[sort ?? 'cost'].as('value')))
      .where(branch)
      .orderBy('submitted_at', 'desc')
      .orderBy('id', 'desc')
      .limit(sort ? maxCountedTasks : offset + size)
    return queries.selectFrom(newest.as('newest')).selectAll()
  })
  const places = others.reduce((all, one) => all?.unionAll(one), first)
  if (!places) return []
  const shown = queries
    .selectFrom(places.as('places'))
    .select('id')
    .$if(sort !== undefined, (rows) => rows.orderBy(sql`value ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last`))
  const pageQuery = shown.orderBy('submitted_at', 'desc').orderBy('id', 'desc').limit(size).offset(offset)
  const ids = (await pageQuery.execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('tasks').select(columns).where('id', 'in', ids).execute()
  const held = await heldFor(queries, rows)
  const positions = new Map(ids.map((id, index) => [id, index]))
  return rows
    .map((row): ListedTask => ({ ...row, held: held.get(row.public_id) ?? 0 }))
    .sort((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
}

async function heldFor(queries: Queries, rows: readonly Pick<TaskRow, 'public_id' | 'status'>[]) {
  const open = rows.filter((row) => !hasEnded(row)).map(({ public_id: id }) => id)
  if (open.length === 0) return new Map<string, number>()
  const holds = await queries.selectFrom('holds').select(['id', 'amount']).where('id', 'in', open).execute()
  return new Map(holds.map(({ id, amount }) => [id, amount]))
}
