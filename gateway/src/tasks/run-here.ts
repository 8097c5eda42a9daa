import { backgroundPlatforms } from '@tollgate/contract'

import type { TaskRow } from '../platform/store/tables'

const platforms: ReadonlySet<string> = new Set(backgroundPlatforms)

/** Returns whether a task is a call of a model that a worker runs in the background; no vendor knows of the task. */
export const isRunHere = ({ platform }: Pick<TaskRow, 'platform'>): boolean => platforms.has(platform)
