import { loggedPlatforms, type taskRoutes } from '@tollgate/contract'

/** The filters of a list of tasks. */
export interface TaskFilter {
  readonly platforms: readonly string[]
  /** Undefined: of all users. Null: of a user who does not exist. */
  readonly userId: number | null | undefined
  /** Tasks that their owner removed are left out. */
  readonly isOwn: boolean
  readonly channelId?: number | undefined
  readonly publicId?: string | undefined
  readonly status?: string | undefined
  readonly action?: string | undefined
  readonly ids?: readonly number[] | undefined
  /** Milliseconds; both ends are inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Undefined: newest first. */
  readonly sort?: taskRoutes.TaskSort | undefined
  readonly isDescending?: boolean | undefined
}

/** Whose tasks are wanted. */
type Owner = Pick<TaskFilter, 'userId' | 'isOwn'>

/** Both logs; users name no channel. */
interface Query {
  readonly channel_id?: number | undefined
  readonly status?: string | undefined
  readonly action?: string | undefined
  readonly ids?: readonly number[] | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly sort?: taskRoutes.TaskSort | undefined
  readonly descending?: boolean | undefined
}

/** Times are in milliseconds. */
export const drawingFilter = (query: Query & { readonly mj_id?: string | undefined }, owner: Owner): TaskFilter => ({
  ...commonPart(query),
  ...owner,
  platforms: ['mj'],
  publicId: query.mj_id || undefined,
  from: query.start_timestamp || undefined,
  to: query.end_timestamp || undefined,
})

/** Times are in seconds, whose last millisecond is within. */
export const taskFilter = (
  query: Query & { readonly task_id?: string | undefined; readonly platform?: string | undefined },
  owner: Owner,
): TaskFilter => ({
  ...commonPart(query),
  ...owner,
  platforms: loggedPlatforms.filter((platform) => !query.platform || platform === query.platform),
  publicId: query.task_id || undefined,
  from: query.start_timestamp ? query.start_timestamp * 1000 : undefined,
  to: query.end_timestamp ? query.end_timestamp * 1000 + 999 : undefined,
})

const commonPart = ({ channel_id: channelId, status, action, ids, sort, descending: isDescending }: Query) => ({
  sort,
  isDescending,
  channelId: channelId || undefined,
  status: status || undefined,
  action: action || undefined,
  ids,
})
