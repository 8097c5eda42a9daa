import type { Logger } from 'pino'

import type { AccountCache } from './accounts/callers/account-cache'
import type { CatalogStore } from './catalog/catalog-store'
import type { SecretsCheck } from './catalog/secrets-check'
import type { Config } from './config'
import type { Ledger } from './ledger/ledger'
import type { RecentLines } from './log/recent-lines'
import type { LogTexts } from './log-texts/log-texts'
import type { Metrics } from './metrics/metrics'
import type { Health } from './channels/health/health'
import type { NodeHealth } from './channels/health/health-reading'
import type { Changes } from './store/changes'
import type { Database, Transaction } from './store/database'
import type { DatabaseWatch } from './store/database-watch'
import type { Seal } from './store/seal'
import type { Tracing } from './tracing/tracing'
import type { Outbound } from './outbound/outbound'
import type { Movement } from './payments/movement'
import type { RunCommand } from './upkeep/command-runner'
import type { UpstreamClient } from './upstream/upstream-client'
import type { VendorObjects } from './vendor-objects/vendor-objects'
import type { Clock } from './clock'
import type { Random } from './random'
import type { Timers } from './timers'

/** What the server depends on. Created once in `main.ts`, replaceable piece by piece in tests. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  /** How everything here waits. */
  readonly timers: Timers
  readonly random: Random
  readonly log: Logger
  /** The latest log lines of this worker. */
  readonly recentLines: RecentLines
  readonly database: Database
  readonly seal: Seal
  readonly secrets: SecretsCheck
  readonly databaseWatch: Pick<DatabaseWatch, 'isAnswering'>
  readonly changes: Changes
  /** `current` is the snapshot in force; a call pins it once. */
  readonly catalog: CatalogStore
  readonly accounts: AccountCache
  readonly ledger: Ledger
  readonly logTexts: LogTexts
  /** Whose the objects in vendors' accounts are. */
  readonly vendorObjects: VendorObjects
  readonly health: Health
  /** Reads the health of all workers of this node. */
  readonly nodeHealth: NodeHealth
  readonly metrics: Metrics
  /**
   * Sends messages about movements of orders to their owner and reports disputes to operators, in the transaction that moves the quota or
   * establishes that it is final.
   */
  readonly notifyPayer: (movements: readonly Movement[], transaction: Transaction) => Promise<void>
  /** Null where the operator configured no collector. */
  readonly tracing: Tracing | null
  /** To upstreams that serve models. */
  readonly upstreams: UpstreamClient
  /** To addresses that people enter. */
  readonly outbound: Outbound
  /** To all other hosts. */
  readonly fetch: typeof fetch
  /** Runs one of the operator's commands in another process. */
  readonly runCommand: RunCommand
}
