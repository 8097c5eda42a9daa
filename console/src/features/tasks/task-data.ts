import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { daySeconds, hourSeconds, type ApiError, taskRoutes, type Route } from '@tollgate/contract'
import { useState } from 'react'

import type { ListPart } from '../../components/data-table/use-list'
import { currentLanguage } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { isOpen, type Task, taskOf, taskOfDrawing } from './task'
import type { TaskRange, TaskSearch } from './task-search'
import { call } from '../../lib/api/api'
import { nowSeconds } from '../../lib/text/use-now'

const pollMs = 3_000

/**
 * A page of a log. Each is fetched when it is first opened and kept, so that going back costs nothing; of the tasks that are open only
 * their state is asked for again, while the page is visible, and no row moves.
 */
export function useTaskPage(kind: TaskKind, filter: TaskFilter, part: ListPart<taskRoutes.TaskSort>) {
  const readsAll = useViewer().may('logs.read')
  const { page, size, sort, descending } = part
  const query = { ...filter, p: page - 1, page_size: size, sort, descending }
  const list = useQuery<TaskPage, ApiError>({
    queryKey: [kind.route(readsAll).path, 'page', query, currentLanguage()],
    queryFn: () => kind.read(query, readsAll),
    placeholderData: keepPreviousData,
    staleTime: cacheMs,
  })
  useProgress(kind, list.data?.tasks.filter(isOpen) ?? [])
  return list
}

const cacheMs = 60_000

/** Follows the open tasks among the rows that are shown. */
function useProgress(kind: TaskKind, open: readonly Task[]) {
  const readsAll = useViewer().may('logs.read')
  const client = useQueryClient()
  const ids = open.map(({ id }) => id)
  const path = kind.route(readsAll).path
  useQuery<readonly Task[], ApiError>({
    queryKey: ['task-progress', path, ids, currentLanguage()],
    queryFn: async () => {
      const { tasks } = await kind.read({ ids, page_size: ids.length }, readsAll)
      client.setQueriesData<TaskPage>({ queryKey: [path] }, (page) => page && withTasks(page, tasks))
      return tasks
    },
    enabled: ids.length > 0,
    // The rows have just been read.
    initialData: open,
    staleTime: pollMs,
    refetchInterval: pollMs,
  })
}

const withTasks = (page: TaskPage, newer: readonly Task[]): TaskPage => {
  const byId = new Map(newer.map((task) => [task.id, task]))
  return { ...page, tasks: page.tasks.map((task) => byId.get(task.id) ?? task) }
}

/** The task whose panel is open: from the page where it is there. */
export function useOpenTask(kind: TaskKind, id: number | undefined, tasks: readonly Task[] | undefined) {
  const readsAll = useViewer().may('logs.read')
  const known = tasks?.find((task) => task.id === id)
  const requested = useQuery<TaskPage, ApiError>({
    queryKey: [kind.route(readsAll).path, 'one', id, currentLanguage()],
    queryFn: () => kind.read({ ids: [id ?? 0], page_size: 1 }, readsAll),
    enabled: id !== undefined && tasks !== undefined && known === undefined,
    refetchInterval: ({ state }) => (state.data?.tasks.some(isOpen) ? pollMs : false),
  })
  const task = known ?? requested.data?.tasks[0]
  return {
    task,
    isGone: requested.data?.tasks.length === 0,
    error: requested.error,
    retry: () => void requested.refetch(),
  }
}

/** Filters of a log; times are unix seconds, both inclusive. */
export interface TaskFilter {
  readonly task?: string
  readonly channel_id?: number
  readonly username?: string
  readonly status?: string
  readonly action?: string
  readonly platform?: string
  readonly from?: number
  readonly to?: number
}

function startOf(range: TaskRange, nowSeconds: number): number | undefined {
  if (range === 'all') return undefined
  if (range === 'today') return new Date(nowSeconds * 1000).setHours(0, 0, 0, 0) / 1000
  return nowSeconds - (range === 'week' ? 7 : 30) * daySeconds
}

/** Returns the filters of an address. Without a range: the log's own, until an hour from now. A task's id is searched at any time. */
function filterOf(search: TaskSearch, range: TaskRange, readsAll: boolean, nowSeconds: number): TaskFilter {
  const { task, status, action, platform } = search
  return {
    task,
    status,
    action,
    platform,
    ...timesOf(search, range, nowSeconds),
    ...(readsAll && { channel_id: search.channel, username: search.username }),
  }
}

function timesOf({ from, to, range, task }: TaskSearch, usual: TaskRange, nowSeconds: number) {
  const anHourOn = nowSeconds + hourSeconds
  if (from !== undefined || to !== undefined) return { from, to: to ?? anHourOn }
  if (task !== undefined && range === undefined) return {}
  const start = startOf(range ?? usual, nowSeconds)
  return start === undefined ? {} : { from: start, to: anHourOn }
}

export const noFilters = {
  task: undefined,
  channel: undefined,
  username: undefined,
  status: undefined,
  action: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<TaskSearch>

/** How long a moment counts as now: an untouched list keeps its query. */
const maxSeconds = 1_800

/** Returns the filters of an address, whose relative times stay until the filters change. */
export function useTaskFilter(search: TaskSearch, range: TaskRange, readsAll: boolean) {
  const { page: _page, size: _size, open: _open, sort: _sort, descending: _descending, ...filters } = search
  const question = JSON.stringify(filters)
  const [requested, setRequested] = useState(() => ({ question, at: nowSeconds() }))
  if (requested.question !== question || nowSeconds() - requested.at > maxSeconds)
    setRequested({ question, at: nowSeconds() })
  return {
    filter: filterOf(search, range, readsAll, requested.at),
    /** Moves relative times to the present. */
    renew: () => setRequested({ question, at: nowSeconds() }),
  }
}

/** A page of one of the logs. */
interface TaskPage {
  readonly tasks: readonly Task[]
  readonly total: number
  /** Counting stopped before the last row. */
  readonly isTotalCapped: boolean
}

interface Paged extends Partial<TaskFilter> {
  readonly p?: number
  readonly page_size?: number
  readonly ids?: readonly number[]
  readonly sort?: taskRoutes.TaskSort | undefined
  readonly descending?: boolean | undefined
}

/** The two logs, which share their page. */
export interface TaskKind {
  readonly name: 'drawing' | 'task'
  readonly path: '/app/logs/drawing' | '/app/logs/tasks'
  /** Prefix of the keys that the choice of columns is stored under. */
  readonly tableId: string
  /** Where the address names none. */
  readonly range: TaskRange
  readonly actions: readonly string[]
  /** Resolves with a page of the reader's tasks, or of all users'. */
  readonly read: (query: Paged, readsAll: boolean) => Promise<TaskPage>
  /** The call that it makes. */
  readonly route: (readsAll: boolean) => Route
}

export const drawings: TaskKind = {
  name: 'drawing',
  path: '/app/logs/drawing',
  tableId: 'mj-logs',
  range: 'month',
  actions: [
    'IMAGINE',
    'UPSCALE',
    'VARIATION',
    'HIGH_VARIATION',
    'LOW_VARIATION',
    'PAN',
    'DESCRIBE',
    'BLEND',
    'UPLOAD',
    'SHORTEN',
    'REROLL',
    'INPAINT',
    'ZOOM',
    'CUSTOM_ZOOM',
    'MODAL',
    'SWAP_FACE',
    'EDITS',
    'VIDEO',
  ],
  read: async ({ task, from, to, platform: _platform, ...query }, readsAll) => {
    const times = { start_timestamp: from && from * 1000, end_timestamp: to && to * 1000 }
    const sent = { query: { ...query, mj_id: task, ...times } }
    const page = readsAll ? await call(taskRoutes.listDrawings, sent) : await call(taskRoutes.listOwnDrawings, sent)
    return { tasks: page.items.map(taskOfDrawing), total: page.total, isTotalCapped: page.total_is_lower_bound }
  },
  route: (readsAll) => (readsAll ? taskRoutes.listDrawings : taskRoutes.listOwnDrawings),
}

export const otherTasks: TaskKind = {
  name: 'task',
  path: '/app/logs/tasks',
  tableId: 'task-logs',
  range: 'today',
  actions: ['MUSIC', 'LYRICS', 'GENERATE', 'EDITS', 'REMIX', 'RESPOND', 'BATCH'],
  read: async ({ task, from, to, ...query }, readsAll) => {
    const sent = { query: { ...query, task_id: task, start_timestamp: from, end_timestamp: to } }
    const page = readsAll ? await call(taskRoutes.listTasks, sent) : await call(taskRoutes.listOwnTasks, sent)
    return { tasks: page.items.map(taskOf), total: page.total, isTotalCapped: page.total_is_lower_bound }
  },
  route: (readsAll) => (readsAll ? taskRoutes.listTasks : taskRoutes.listOwnTasks),
}
