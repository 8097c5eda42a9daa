import { hasEnded, type TaskStatus } from '@tollgate/contract'

import type { TaskRow } from '../platform/store/tables'
import { readObject } from './task-store'

/** Returns whether the owner of a call in the background wants it no more; it may still have to be charged. */
export const isCancelled = ({ data }: Pick<TaskRow, 'data'>): boolean => readObject(data)['isCancelled'] === true

/** Returns the state that an owner is shown: what was cancelled is over for him, though its charge may not be settled yet. */
export const shownStatus = (row: Pick<TaskRow, 'status' | 'data'>): TaskRow['status'] =>
  !hasEnded(row) && isCancelled(row) ? ('CANCEL' satisfies TaskStatus) : row.status
