import { hourSeconds, daySeconds } from '@tollgate/contract'
import { useState } from 'react'

import type { TaskRange, TaskSearch } from './task-search'

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
const longestSeconds = 1_800

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Returns the filters of an address, whose relative times stay until the filters change. */
export function useTaskFilter(search: TaskSearch, range: TaskRange, readsAll: boolean) {
  const { page: _page, size: _size, open: _open, sort: _sort, descending: _descending, ...filters } = search
  const question = JSON.stringify(filters)
  const [asked, ask] = useState(() => ({ question, at: nowSeconds() }))
  if (asked.question !== question || nowSeconds() - asked.at > longestSeconds) ask({ question, at: nowSeconds() })
  return {
    filter: filterOf(search, range, readsAll, asked.at),
    /** Moves relative times to the present. */
    renew: () => ask({ question, at: nowSeconds() }),
  }
}
