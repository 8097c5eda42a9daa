import { loggedPlatforms } from '@tollgate/contract'
import * as z from 'zod'

import { pageSearch, searchNumber, searchText } from '../../lib/url/page-search'

/** Ranges that end now and move with the clock. */
export const taskRanges = ['today', 'week', 'month', 'all'] as const
export type TaskRange = (typeof taskRanges)[number]

/** Search parameters of both logs. */
export const TaskSearch = z.object({
  ...pageSearch,
  /** Public id of a task. */
  task: searchText,
  channel: searchNumber,
  username: searchText,
  status: searchText,
  action: searchText,
  platform: z.enum(loggedPlatforms).optional().catch(undefined),
  range: z.enum(taskRanges).optional().catch(undefined),
  /** Unix seconds. */
  from: searchNumber,
  to: searchNumber,
  /** Id of the row whose panel is open. */
  open: searchNumber,
})
export type TaskSearch = z.output<typeof TaskSearch>
