import type { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { levelOf } from '../../platform/store/database-watch'
import { askVendorBalances } from './ask-vendor-balances'
import { checkRelease } from './check-release'
import { createLeader } from './leader'
import { deliverMessages } from './deliver-messages'
import { deliverWebhooks } from './deliver-webhooks'
import { createLock } from '../../platform/store/lock'
import { foldCallMeasures } from './fold-measures'
import { foldUsage } from './fold-usage'
import type { Job } from './job'
import { JobRecords } from './job-records'
import {
  pruneAnswers,
  pruneKeyedActs,
  pruneChanges,
  pruneCharges,
  pruneEvents,
  pruneFlows,
  pruneMails,
  pruneMessages,
  pruneSessions,
  pruneSignIns,
  pruneVendorObjects,
  pruneWebhooks,
} from './prune'
import { makeBackups } from './make-backups'
import { notifyOfEvents } from './notify-of-events'
import { sendMails } from './send-mails'
import { syncPrices } from './sync-prices'
import { pollTasks } from './poll-tasks'
import { pruneResults } from './prune-results'
import { retainAudit, retainLogs, retainSums } from './retain'
import { pursueOrders, pursueRefunds } from './pursue-orders'
import { sealCredentials } from './seal-credentials'
import { settleInvitations } from './settle-invitations'
import { storeResults } from './store-results'
import { testChannels } from './test-channels'
import { watchBalances } from './watch-balances'
import { watchSpending } from './watch-spending'
import { within } from '../../platform/time/timers'

/** Shorter than users wait before they wonder; a leader whose node is gone is replaced within it. */
const lockSeconds = 15
const tickMs = 5000
/** A job that does not end by itself is abandoned when the worker stops. */
const stopMs = 2000

export interface Jobs {
  /** This worker runs the jobs. */
  readonly isLeader: boolean
  /** Returns the last runs of this worker's jobs. */
  runs(): systemRoutes.JobRun[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** All periodic work of a site. */
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
  watchSpending(context),
  askVendorBalances(context),
  notifyOfEvents(context),
  pruneEvents(context),
  deliverWebhooks(context),
  pursueOrders(context),
  pursueRefunds(context),
  pollTasks(context),
  storeResults(context),
  pruneResults(context),
  pruneAnswers(context),
  pruneKeyedActs(context),
  pruneVendorObjects(context),
  settleInvitations(context),
  pruneCharges(context),
  retainLogs(context),
  retainSums(context),
  retainAudit(context),
  foldUsage(context),
  foldCallMeasures(context),
  makeBackups(context),
  checkRelease(context),
  syncPrices(context),
]

/** Creates the jobs of the site: one worker of all runs them, and another takes over when that one is gone. */
export function createJobs({ context, holderId }: { context: Context; holderId: string }): Jobs {
  const { log, timers } = context
  const records = new JobRecords({ ...context, worker: holderId })
  const store = (isLast = false) =>
    records
      .store(isLast)
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'runs of periodic work could not be stored'))
  const jobs = jobsOf(context)
  context.metrics.expectJobs(jobs.map(({ name }) => name))
  const leader = createLeader({
    clock: context.clock,
    lock: createLock({ ...context, name: 'jobs', holder: holderId, seconds: lockSeconds }),
    jobs,
    onError: (error, job) => log.error({ error, job }, 'a job failed'),
    records,
  })
  context.changes.listen((news) => leader.wake(new Set(news.map(({ topic }) => topic))))
  let cancelTick = () => {}
  let isStopped = false
  let ticking: Promise<void> = Promise.resolve()

  async function tick(): Promise<void> {
    await leader
      .tick()
      .catch((error: unknown) => log[levelOf(error, 'warn')]({ error }, 'the leader could not be elected'))
    await store()
    if (isStopped) return
    cancelTick = timers.after(tickMs, () => {
      ticking = tick()
    })
  }

  return {
    get isLeader() {
      return leader.isHolding
    },
    runs: () => records.all(),
    start: () => (ticking = tick()),
    async stop() {
      isStopped = true
      cancelTick()
      await ticking
      const stopping = leader.stop().catch((error: unknown) => log.warn({ error }, 'the jobs did not stop'))
      const stored = stopping.then(() => store(true))
      await within(timers, stopMs, stored, undefined)
    },
  }
}
