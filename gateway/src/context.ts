import type { Logger } from 'pino'

import type { AccountCache } from './accounts/callers/account-cache'
import type { CatalogStore } from './channels/catalog/catalog-store'
import type { SecretsCheck } from './channels/catalog/secrets-check'
import type { ResponseStore } from './platform/stored-responses/response-store'
import type { Config } from './platform/config/config'
import type { Ledger } from './billing/ledger/ledger'
import type { LogStore } from './billing/usage-log/log-store'
import type { RecentLines } from './platform/telemetry/log/create-log'
import type { LogTexts } from './platform/telemetry/log-texts/log-texts'
import type { Metrics } from './platform/telemetry/metrics/metrics'
import type { Health } from './channels/health/health'
import type { NodeHealth } from './channels/health/health-reading'
import type { Changes } from './platform/store/changes'
import type { ClickHouse } from './platform/store/clickhouse/clickhouse'
import type { Database, Transaction } from './platform/store/database'
import type { DatabaseWatch } from './platform/store/database-watch'
import type { Seal } from './platform/store/seal'
import type { Tracing } from './platform/telemetry/tracing/tracing'
import type { Outbound } from './platform/net/outbound/outbound'
import type { OrderMovement } from './billing/payments/movement'
import type { RunCommand } from './operations/command-runner'
import type { UpstreamClient } from '@tollgate/http-client'
import type { Turns } from './channels/turns/turns'
import type { VendorObjects } from './channels/vendor-objects/vendor-objects'
import type { Clock } from './platform/time/clock'
import type { Random } from './platform/random'
import type { Timers } from './platform/time/timers'

/** What changing the site's settings needs. */
export type SiteContext = Pick<
  Context,
  'catalog' | 'changes' | 'clock' | 'config' | 'database' | 'fetch' | 'log' | 'seal'
>

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
  readonly databaseWatch: Pick<DatabaseWatch, 'isResponding'>
  readonly changes: Changes
  /** `current` is the snapshot in force; a call pins it once. */
  readonly catalog: Pick<CatalogStore, 'current' | 'rebuild'>
  readonly accounts: AccountCache
  readonly ledger: Ledger
  readonly logTexts: LogTexts
  /** Where rows of the usage log are read. */
  readonly logs: LogStore
  /** Null where the operator configured none. */
  readonly clickHouse: ClickHouse | null
  /** Whose the objects in vendors' accounts are. */
  readonly vendorObjects: VendorObjects
  /** Turns of the Responses API. */
  readonly turns: Turns
  /** Responses to calls, for the response cache. */
  readonly responses: ResponseStore
  readonly health: Health
  /** Reads the health of all workers of this node. */
  readonly nodeHealth: NodeHealth
  readonly metrics: Metrics
  /**
   * Sends messages about movements of orders to their owner and reports disputes to operators, in the transaction that moves the quota or
   * establishes that it is final.
   */
  readonly notifyPayer: (movements: readonly OrderMovement[], transaction: Transaction) => Promise<void>
  /** Null where the operator configured no collector. */
  readonly tracing: Tracing | null
  /** To upstreams that serve models. */
  readonly upstreams: Pick<UpstreamClient, 'send' | 'connect'>
  /** To addresses that people enter. */
  readonly outbound: Outbound
  /** To all other hosts. */
  readonly fetch: typeof fetch
  /** Runs one of the operator's commands in another process. */
  readonly runCommand: RunCommand
}
