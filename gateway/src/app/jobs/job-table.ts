import { dayMs, hourMs, minuteMs } from '@tollgate/contract'

import { runProgress, startRun } from '../../channels/channel-run'
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
import {
  deliverMessages,
  deliverWebhooks,
  endExpiringQuota,
  notifyOfEvents,
  pollPendingOrders,
  pollPendingRefunds,
  renewPlans,
  sendMails,
  settleCommissions,
  storeResults,
} from './queue-jobs'
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
