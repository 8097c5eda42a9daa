import { logType, storedPhrase, writeLogDetails, type Phrase } from '@tollgate/contract'
import type { TaskUsage } from '@tollgate/providers'

import { markCappedUsage } from '../channels/capped-usage'
import type { Context } from '../context'
import type { Charge, LogEntry } from '../billing/ledger/ledger'
import { chargeDetails } from '../billing/metering/charge-details'
import type { Transaction } from '../platform/store/database'
import type { TaskRow } from '../platform/store/tables'
import { taskCharge, type TaskCharge } from './task-charge'
import { queueTaskWebhook } from './queue-task-webhook'
import { keepsResults } from './result-folder'
import { moveTask, type TaskChange } from './task-store'
import { readTerms, type TaskTerms } from './task-terms'

/** What ending a task needs. */
export type EndDeps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'ledger' | 'metrics' | 'random'>

/** Changes at the end of a task besides its state. */
export type LastChange = Omit<TaskChange, 'status' | 'quota' | 'poll_at' | 'finished_at'>

/**
 * Ends a task that succeeded: charges what its vendor delivered and gives the rest of the hold back, in one transaction with its state.
 * Returns false, and does nothing, for a task that has ended already.
 */
export async function succeedTask(
  deps: EndDeps,
  row: TaskRow,
  delivered: TaskUsage,
  change: LastChange = {},
): Promise<boolean> {
  const terms = readTerms(row.terms)
  const charge = taskCharge(terms, delivered, row.submitted_at)
  const cost = charge.sale?.quota ?? 0
  const finishedAt = deps.clock.now()
  const entry = consumption({ ...row, ...change, finished_at: finishedAt }, terms, charge)
  const isLogged = deps.catalog.current.options.LogConsumeEnabled
  const isEnded = await settleTask(deps, row, { charge: { cost, entry, isLogged }, finishedAt, change })
  if (isEnded) deps.metrics.countCharge(charge.usage, cost, entry, charge.cost?.quota)
  if (isEnded && charge.capped) {
    deps.metrics.usageCapped(Object.keys(charge.capped))
    await markCappedUsage(deps, row.channel_id)
  }
  return isEnded
}

/** How a task ended for which something is to be charged. */
interface Settlement {
  readonly charge: Charge
  /** Why it has no result though it is charged; absent: it succeeded. */
  readonly lost?: { readonly status: 'FAILURE' | 'CANCEL'; readonly reason: FailReason }
  /** Milliseconds. */
  readonly finishedAt: number
  readonly change: LastChange
  /** Records more in the same transaction. */
  readonly record?: (transaction: Transaction) => Promise<void>
}

/** Ends a task with a charge, as `succeedTask` does with what its vendor reported; also one whose result is lost. */
export async function settleTask(
  deps: EndDeps,
  row: TaskRow,
  { charge, lost, finishedAt, change, record }: Settlement,
): Promise<boolean> {
  const terms = readTerms(row.terms)
  // What is left to do is to fetch its results.
  const next = keepsResults(deps) && !lost ? { poll_at: finishedAt, losses: 0 } : { poll_at: null }
  const outcome = lost
    ? { status: lost.status, fail_reason: textOf(lost.reason) }
    : ({ status: 'SUCCESS', progress: 100 } as const)
  const isEnded = await deps.database.query.transaction().execute(async (transaction) => {
    const end = { ...outcome, quota: charge.cost, finished_at: finishedAt, ...next }
    if (!(await moveTask(transaction, row.id, { ...change, ...end }))) return false
    await record?.(transaction)
    await deps.ledger.settleHold(row.public_id, charge, transaction)
    await queueTaskWebhook(deps, { ...row, ...change, ...end }, terms, transaction)
    return true
  })
  if (isEnded && terms.webhook !== '') await deps.changes.deliver()
  return isEnded
}

/** Why a task ended without a result: a vendor's own words without secrets, or a phrase of ours. */
export type FailReason = string | Phrase

export const textOf = (reason: FailReason): string =>
  typeof reason === 'string' ? reason : storedPhrase(reason.code, reason.params)

/**
 * Ends a task without a result and gives its hold back, in one transaction. Returns false, and does nothing, for a task that has ended
 * already.
 */
export async function failTask(
  deps: EndDeps,
  row: TaskRow,
  reason: FailReason,
  change: LastChange & { readonly status?: 'FAILURE' | 'CANCEL' } = {},
): Promise<boolean> {
  const { catalog, clock, database, ledger } = deps
  const terms = readTerms(row.terms)
  const finishedAt = clock.now()
  const text = textOf(reason)
  const isEnded = await database.query.transaction().execute(async (transaction) => {
    const end = { fail_reason: text, finished_at: finishedAt, poll_at: null } as const
    if (!(await moveTask(transaction, row.id, { status: 'FAILURE', ...change, ...end }))) return false
    await ledger.releaseHold(row.public_id, transaction)
    await queueTaskWebhook(deps, { ...row, status: 'FAILURE', ...change, ...end }, terms, transaction)
    return true
  })
  if (isEnded && terms.webhook !== '') await deps.changes.deliver()
  if (isEnded && change.status !== 'CANCEL') {
    const task = { ...row, ...change, finished_at: finishedAt }
    ledger.record(row.public_id, failure(task, text), catalog.current.options.LogErrorEnabled)
  }
  return isEnded
}

function consumption(task: TaskRow, terms: TaskTerms, { usage, sale, cost, capped }: TaskCharge): LogEntry {
  const { sale: price } = terms
  const wholeMs = Math.max(0, task.finished_at - task.submitted_at)
  const entry = entryOf(task, terms)
  const details =
    price && sale
      ? chargeDetails({
          price,
          usage,
          charge: sale,
          firstTokenMs: null,
          capped,
          adminInfo: {
            ...attemptsOf(terms),
            ...(cost &&
              terms.cost && {
                cost: cost.quota,
                cost_kind: terms.cost.kind,
                cost_prices: cost.variant.distinctPrices,
                ...(terms.cost.kind === 'factor' && { cost_factor: terms.cost.groupRatio }),
              }),
          },
          upstreamModel: task.upstream_model === task.model ? undefined : task.upstream_model,
        })
      : {}
  return {
    ...entry,
    type: logType.consumption,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    other: writeLogDetails({ ...details, ...factsOf(task, terms) }),
    measures: { wholeMs, firstTokenMs: null, cachedTokens: 0, cacheSaved: 0 },
    vendorCost: cost?.quota,
  }
}

const failure = (task: TaskRow, reason: string): LogEntry => {
  const terms = readTerms(task.terms)
  return {
    ...entryOf(task, terms),
    type: logType.error,
    content: reason,
    errorCode: 'task.failed',
    other: writeLogDetails({ ...factsOf(task, terms), error_code: 'task.failed', admin_info: attemptsOf(terms) }),
  }
}

const attemptsOf = ({ attempts }: TaskTerms) => ({
  use_channel: attempts.map(({ channel }) => String(channel)),
  attempts,
})

const factsOf = (task: TaskRow, { endpoint }: TaskTerms) => ({
  use_time_ms: Math.max(0, task.finished_at - task.submitted_at),
  endpoint: endpoint || undefined,
  task_id: task.public_id,
})

const entryOf = (task: TaskRow, { clientIp }: TaskTerms): LogEntry => ({
  createdAt: Math.floor(task.finished_at / 1000),
  type: logType.error,
  userId: task.user_id,
  username: task.username,
  tokenId: task.token_id,
  tokenName: task.token_name,
  modelName: task.model,
  group: task.group,
  channelId: task.channel_id,
  channelName: task.channel_name,
  isStream: false,
  useTimeSeconds: Math.round(Math.max(0, task.finished_at - task.submitted_at) / 1000),
  promptTokens: 0,
  completionTokens: 0,
  content: '',
  clientIp,
  other: '',
  upstreamKey: task.key_fingerprint,
})
