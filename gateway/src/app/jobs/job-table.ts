import { dayMs, hourMs, minuteMs } from '@tollgate/contract'

import { runProgress, startRun } from '../../channels/channel-run'
import { renewalSeconds } from '../../billing/plans/term'
import { isDue, nowOf, syncTimes } from '../../channels/price-sync/sync-times'
import { testableChannels, testAndSwitchChannel } from '../../channels/test-and-switch-channel'
import type { Context } from '../../context'
import { foldCallMeasures, rollUpUsage } from './fold-usage'
import { paceOf, type Job } from './job'
import { pollTasks } from './poll-tasks'
import {
  pruneTaskResponses,
  pruneChanges,
  pruneCharges,
  pruneEvents,
  pruneFlows,
  pruneKeyedActs,
  pruneMails,
  pruneMessages,
  pruneSessions,
  pruneSignIns,
  pruneTurns,
  pruneVendorObjects,
  pruneWebhooks,
} from './prune'
import { pruneWindows } from './prune-windows'
import { removeFiles } from './remove-files'
import { partitionLogs, retainAudit, retainLogs, retainSums } from './retain'
import { sealCredentials } from './seal-credentials'
import { settleInvitations } from './settle-invitations'
import { shipLogs } from './ship-logs'

const secondMs = 1000

/** All periodic work of a site. What a job does is loaded when there is something to do. */
export const jobsOf = (context: Context): readonly Job[] => [
  testChannels(context),
  sealCredentials(context),
  pruneChanges(context),
  pruneSessions(context),
  pruneSignIns(context),
  pruneFlows(context),
  pruneMails(context),
  pruneMessages(context),
  pruneWebhooks(context),
  deliverMessages(context),
  sendMails(context),
  watchBalances(context),
  watchLimits(context),
  watchSpending(context),
  watchMargins(context),
  queryVendorBalances(context),
  notifyOfEvents(context),
  pruneEvents(context),
  deliverWebhooks(context),
  pollPendingOrders(context),
  pollPendingRefunds(context),
  pollTasks(context),
  storeResults(context),
  pruneResults(context),
  pruneTaskResponses(context),
  removeFiles(context),
  pruneKeyedActs(context),
  pruneVendorObjects(context),
  pruneTurns(context),
  settleInvitations(context),
  settleCommissions(context),
  endExpiringQuota(context),
  renewPlans(context),
  pruneCharges(context),
  pruneWindows(context),
  partitionLogs(context),
  retainLogs(context),
  retainSums(context),
  retainAudit(context),
  rollUpUsage(context),
  foldCallMeasures(context),
  makeBackups(context),
  exportNightly(context),
  checkRelease(context),
  syncPrices(context),
  ...shippingOf(context),
]

const shippingOf = (context: Context): Job[] => (context.clickHouse ? [shipLogs(context, context.clickHouse)] : [])

/** Work on the rows of a queue. */
interface QueueJob extends Pick<Job, 'name' | 'everyMs' | 'wokenBy'> {
  /** Returns the query for rows that are due. */
  readonly due: () => { limit(rows: number): { executeTakeFirst(): Promise<unknown> } }
  readonly work: (signal: AbortSignal) => Promise<void>
}

const queueJob = ({ due, work, ...job }: QueueJob): Job => ({
  ...job,
  async run(signal) {
    if (await due().limit(1).executeTakeFirst()) await work(signal)
  },
})

/** Renews subscriptions at the end of their term, and ends the others. */
const renewPlans = (context: Context): Job =>
  queueJob({
    name: 'renew-plans',
    everyMs: 10 * secondMs,
    due: () =>
      context.database.query
        .selectFrom('subscriptions')
        .select('id')
        .where('state', '=', 'active')
        .where('ends_at', '<=', context.clock.seconds() + renewalSeconds),
    async work(signal) {
      const { renewSubscriptions } = await import('../../billing/plans/renew')
      const { notifyPlanEnd } = await import('../../messaging/notices/plan-notices')
      await renewSubscriptions(context, signal, (ended, wasRenewing, transaction) =>
        notifyPlanEnd(context, ended, wasRenewing ? 'plan-not-renewed' : 'plan-ended', transaction),
      )
    },
  })

/** Completes messages: receipts of an audience, copies by mail, receipts of deleted messages. */
const deliverMessages = (context: Context): Job =>
  queueJob({
    name: 'deliver-messages',
    everyMs: 5 * secondMs,
    due: () => context.database.query.selectFrom('messages').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { continueMessages } = await import('../../messaging/messages/continue-messages')
      await continueMessages(context, paceOf(context, signal), signal)
    },
  })

/** Sends queued mails. New ones wake it; the others are retried when their pause is over. */
const sendMails = (context: Context): Job =>
  queueJob({
    name: 'send-mails',
    everyMs: 5 * secondMs,
    wokenBy: 'mail',
    due: () => context.database.query.selectFrom('mails').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { sendMails: send } = await import('../../messaging/mail/send-mails')
      await send(context, signal)
    },
  })

/** Delivers queued webhooks. New ones wake it; the others are retried when their pause is over. */
const deliverWebhooks = (context: Context): Job =>
  queueJob({
    name: 'deliver-webhooks',
    everyMs: 5 * secondMs,
    wokenBy: 'webhook',
    due: () => context.database.query.selectFrom('webhook_deliveries').select('id').where('due_at', 'is not', null),
    async work(signal) {
      const { deliverWebhooks: deliver } = await import('../../messaging/notices/deliver-webhooks')
      await deliver(context, signal)
    },
  })

/** Notifies operators of events. New ones wake it; repeated ones are reported when their pause is over. */
const notifyOfEvents = (context: Context): Job =>
  queueJob({
    name: 'notify-operators',
    everyMs: 5 * secondMs,
    wokenBy: 'event',
    due: () =>
      context.database.query
        .selectFrom('operator_events')
        .select('kind')
        .where('due_at', 'is not', null)
        .where('due_at', '<=', context.clock.seconds()),
    async work(signal) {
      const { notifyOperators } = await import('../../messaging/notices/notify-operators')
      await notifyOperators(context, signal)
    },
  })

/** Queries payment providers about orders that were not reported, and closes those that expired. */
const pollPendingOrders = (context: Context): Job =>
  queueJob({
    name: 'pursue-orders',
    everyMs: 15 * secondMs,
    due: () => context.database.query.selectFrom('orders').select('id').where('ask_at', '<=', context.clock.seconds()),
    async work(signal) {
      const payments = await import('../../billing/payments/poll-pending-orders')
      await payments.pollPendingOrders(context, signal)
    },
  })

/** Asks payment providers about refunds whose response was lost. */
const pollPendingRefunds = (context: Context): Job =>
  queueJob({
    name: 'pursue-refunds',
    everyMs: 10 * minuteMs,
    due: () => context.database.query.selectFrom('orders').select('id').where('problem', '=', 'refund'),
    async work(signal) {
      const payments = await import('../../billing/payments/poll-pending-refunds')
      await payments.pollPendingRefunds(context, signal)
    },
  })

/** Credits commissions whose day has come. */
const settleCommissions = (context: Context): Job =>
  queueJob({
    name: 'settle-commissions',
    everyMs: minuteMs,
    due: () =>
      context.database.query
        .selectFrom('commissions')
        .select('order_number')
        .where('due_at', '<=', context.clock.seconds()),
    async work(signal) {
      const payments = await import('../../billing/payments/settle-commissions')
      await payments.settleCommissions(context, signal)
    },
  })

/** Takes back what is unspent of redeemed quota that ends. */
const endExpiringQuota = (context: Context): Job =>
  queueJob({
    name: 'end-expiring-quota',
    everyMs: minuteMs,
    due: () =>
      context.database.query
        .selectFrom('expiring_quota')
        .select('user_id')
        .where('ended_at', 'is', null)
        .where('ends_at', '<=', context.clock.seconds()),
    async work(signal) {
      const expiring = await import('../../billing/expiring-quota/end-expiring-quota')
      await expiring.endExpiringQuota(context, signal)
    },
  })

/** Fetches the results of finished tasks to where the site keeps them. */
export const storeResults = (context: Context): Job =>
  queueJob({
    name: 'store-results',
    everyMs: 5 * secondMs,
    due: () =>
      context.database.query
        .selectFrom('tasks')
        .select('id')
        .where('poll_at', '<=', context.clock.now())
        .where('status', '=', 'SUCCESS'),
    async work(signal) {
      const { storeDueResults } = await import('../../tasks/store-results')
      await storeDueResults(context, signal)
    },
  })

/** Removes results of tasks that were kept for as long as the site wants: of this machine, and of the bucket. */
export const pruneResults = (context: Pick<Context, 'catalog' | 'clock' | 'config' | 'fetch' | 'timers'>): Job => ({
  name: 'prune-results',
  everyMs: hourMs,
  async run(signal) {
    const { dayOf, pruneResults: prune } = await import('../../tasks/result-folder')
    const { bucketOf } = await import('../../tasks/bucket/bucket')
    const { options } = context.catalog.current
    const oldest = dayOf(context.clock.now() - options.TaskResultDays * dayMs)
    await prune(context, oldest)
    const bucket = bucketOf(options)
    if (!bucket) return
    const { pruneBucket } = await import('../../tasks/bucket/prune-bucket')
    await pruneBucket(context, bucket, oldest, signal)
  },
})

/** Tests all channels at the configured interval, where the options say so. A test started by hand counts too. */
export const testChannels = (context: Context): Job => ({
  name: 'test-channels',
  everyMs: 15 * secondMs,
  async run(signal) {
    const { options } = context.catalog.current
    if (!options['monitor_setting.auto_test_channel_enabled']) return
    const { started_at: last, is_running: isRunning } = await runProgress(context, 'channel-test')
    const due = last + options['monitor_setting.auto_test_channel_minutes'] * 60
    if (isRunning || context.clock.seconds() < due) return
    const run = await startRun(
      context,
      'channel-test',
      testableChannels(context),
      (id, goOn) => testAndSwitchChannel(context, id, goOn),
      signal,
    )
    await run?.ended
  },
})

/** Asks vendors for the balances of channels at the configured interval. A run started by hand counts too. */
export const queryVendorBalances = (context: Context): Job => ({
  name: 'ask-vendor-balances',
  everyMs: 15 * secondMs,
  async run(signal) {
    const { VendorBalanceMinutes: minutes } = context.catalog.current.options
    if (minutes === 0) return
    const { started_at: last, is_running: isRunning } = await runProgress(context, 'channel-balance')
    if (isRunning || context.clock.seconds() < last + minutes * 60) return
    const { channelsWithBalance, watchBalance } = await import('../../console-api/channels/channel-balance')
    const queryBalance = (id: number) => watchBalance(context, id)
    const run = await startRun(context, 'channel-balance', channelsWithBalance(context), queryBalance, signal)
    await run?.ended
  },
})

/** Notifies users whose balance is low. */
const watchBalances = (context: Context): Job => ({
  name: 'watch-balances',
  everyMs: 15 * secondMs,
  async run(signal) {
    const { notifyLowBalances } = await import('../../messaging/notices/watch-balances')
    while (!signal.aborted && (await notifyLowBalances(context))) {
      // As many may be waiting again.
    }
  },
})

/** Tells owners of limits how much of them is used, at the shares that they chose. */
const watchLimits = (context: Context): Job => ({
  name: 'watch-limits',
  everyMs: 30 * secondMs,
  async run(signal) {
    const { notifyNearLimits } = await import('../../messaging/notices/watch-limits')
    await notifyNearLimits(context, paceOf(context, signal), signal)
  },
})

/** Reports users who spend far more than they used to. */
const watchSpending = (context: Context): Job => ({
  name: 'watch-spending',
  everyMs: 15 * minuteMs,
  async run() {
    const { reportUnusualSpending } = await import('../../messaging/notices/unusual-spending')
    await reportUnusualSpending(context)
  },
})

/** Reports channels and models that earn less than the floor of margins. */
const watchMargins = (context: Context): Job => ({
  name: 'watch-margins',
  everyMs: hourMs,
  async run() {
    const { reportLowMargins } = await import('../../messaging/notices/low-margins')
    await reportLowMargins(context)
  },
})

/** After a backup that failed. */
const backupPauseMs = hourMs

/** Makes backups on the configured days, after the configured hour, and removes the oldest of them. */
function makeBackups(context: Context): Job {
  let nextTryMs = 0
  return {
    name: 'make-backups',
    everyMs: minuteMs,
    async run() {
      const { BackupSchedule: schedule } = context.catalog.current.options
      if (schedule === 'off' || context.clock.monotonic() < nextTryMs) return
      const { makeScheduledBackup } = await import('../../operations/scheduled-backup')
      try {
        await makeScheduledBackup(context, schedule)
      } catch (error) {
        nextTryMs = context.clock.monotonic() + backupPauseMs
        throw error
      }
    },
  }
}

/** Exports the log of each day, where the options say so. */
const exportNightly = (context: Context): Job => ({
  name: 'export-logs',
  everyMs: hourMs,
  async run() {
    if (context.catalog.current.options.LogExportFormat === 'off') return
    const { exportDueDays } = await import('../../operations/export/scheduled-export')
    await exportDueDays(context)
  },
})

/** Looks for a newer release once a day, where the options have an address for it. */
export const checkRelease = (context: Pick<Context, 'catalog' | 'clock' | 'database' | 'outbound'>): Job => ({
  name: 'check-release',
  everyMs: hourMs,
  async run() {
    if (context.catalog.current.options.VersionCheckUrl === '') return
    const { refreshReleaseNews, readRelease } = await import('../../operations/release-news')
    const { news } = await readRelease(context)
    if (news && context.clock.now() - news.checked_at * 1000 < dayMs) return
    await refreshReleaseNews(context)
  },
})

/** Reads the sources of prices on request, and as often as the operator configured. */
export const syncPrices = (context: Context): Job => ({
  name: 'sync-prices',
  everyMs: minuteMs,
  wokenBy: 'price-sync',
  async run(signal) {
    const { catalog, clock, database } = context
    const { PriceSyncSchedule: schedule } = catalog.current.options
    if (!isDue(await syncTimes(database.query), schedule, nowOf(clock))) return
    const { runPriceSync } = await import('../../channels/price-sync/run-price-sync')
    await runPriceSync(context, signal)
  },
})
