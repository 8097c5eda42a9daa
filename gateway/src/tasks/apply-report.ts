import type { TaskStatus } from '@tollgate/contract'
import type { TaskReport } from '@tollgate/providers'

import { mask } from '../platform/text/mask'
import type { TaskRow } from '../platform/store/tables'
import { failTask, succeedTask, type EndDeps } from './end-task'
import { moveTask, plain, readObject, toStoredJson, type TaskChange } from './task-store'

type Deps = EndDeps

/** A task counts as lost after this many reports in succession that its vendor does not know it. */
const maxLosses = 5

const openStates = {
  submitted: 'SUBMITTED',
  queued: 'QUEUED',
  'in-progress': 'IN_PROGRESS',
  modal: 'MODAL',
} as const satisfies Readonly<Record<string, TaskStatus>>

/** The effect of a report. `same`: nothing stored changed. */
export type Applied = 'ended' | 'changed' | 'same'

/**
 * Applies what a vendor says of a task. A report that comes after the end changes nothing. `secrets` are masked in the vendor's words.
 */
export async function applyReport(
  deps: Deps,
  row: TaskRow,
  report: Omit<TaskReport, 'vendorId'>,
  secrets: readonly string[],
): Promise<Applied> {
  const { status } = report
  if (status === 'unknown') return noteLoss(deps, row)
  const change = changeOf(row, report)
  if (status === 'success') {
    await succeedTask(deps, row, report.usage ?? {}, { ...change, started_at: row.started_at || deps.clock.now() })
    return 'ended'
  }
  if (status === 'failure' || status === 'cancelled') {
    const reason = mask(report.failReason ?? '', secrets)
      .trim()
      .slice(0, maxReasonLength)
    const end = { ...change, status: status === 'failure' ? 'FAILURE' : 'CANCEL' } as const
    await failTask(deps, row, reason === '' ? { code: 'task.failed' } : plain(reason), end)
    return 'ended'
  }
  const isStarted = status === 'in-progress' && row.started_at === 0
  const moved: TaskChange = {
    ...change,
    status: openStates[status],
    losses: 0,
    ...(isStarted && { started_at: deps.clock.now() }),
  }
  if (isSame(row, moved)) return 'same'
  return (await moveTask(deps.database.query, row.id, moved)) ? 'changed' : 'ended'
}

const maxReasonLength = 1000

async function noteLoss(deps: Deps, row: TaskRow): Promise<Applied> {
  const losses = row.losses + 1
  if (losses >= maxLosses) {
    await failTask(deps, row, { code: 'task.lost' }, { losses })
    return 'ended'
  }
  await moveTask(deps.database.query, row.id, { losses })
  return 'changed'
}

function changeOf(row: TaskRow, { progress, results, data }: Omit<TaskReport, 'vendorId'>) {
  const promptEn = data?.['promptEn']
  return {
    ...(progress !== null && { progress: Math.min(100, Math.max(0, Math.round(progress))) }),
    ...(results !== undefined && results.length > 0 && { results: toStoredJson(results) }),
    ...(data !== undefined && { data: toStoredJson({ ...readObject(row.data), ...data }) }),
    ...(typeof promptEn === 'string' && promptEn !== '' && { prompt_en: plain(promptEn) }),
  }
}

function isSame(row: TaskRow, change: TaskChange): boolean {
  const present: Readonly<Record<string, unknown>> = { ...row }
  return Object.entries(change).every(([name, value]) => present[name] === value)
}
