import { taskRoutes, type Route } from '@tollgate/contract'

import { call } from '../../lib/api/api'
import type { TaskFilter } from './task-query'
import { taskOf, taskOfDrawing, type Task } from './task'
import type { TaskRange } from './task-search'

/** A page of one of the logs. */
export interface TaskPage {
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
  actions: ['MUSIC', 'LYRICS', 'GENERATE', 'EDITS', 'REMIX', 'RESPOND'],
  read: async ({ task, from, to, ...query }, readsAll) => {
    const sent = { query: { ...query, task_id: task, start_timestamp: from, end_timestamp: to } }
    const page = readsAll ? await call(taskRoutes.listTasks, sent) : await call(taskRoutes.listOwnTasks, sent)
    return { tasks: page.items.map(taskOf), total: page.total, isTotalCapped: page.total_is_lower_bound }
  },
  route: (readsAll) => (readsAll ? taskRoutes.listTasks : taskRoutes.listOwnTasks),
}
