import type { HealthNews } from '../channels/health-news'
import type { Preparation } from './prepare-node'

/** What the supervisor decided for one worker. */
export interface WorkerOrders {
  readonly workerId: string
  /** Missing for the first worker: it prepares the node and tells the code. */
  readonly setupCode: string | undefined
}

/** Carries the orders, and so tells a worker apart from the process that an operator starts. */
export const ordersVariable = 'TOLLGATE_WORKER_ORDERS'

/** The exit code of a worker that cannot start for a reason the operator has to mend: another one could not either. */
export const cannotStartCode = 78

/** The first worker's report: the database is up to date, others may start. */
export interface Prepared extends Preparation {
  readonly kind: 'prepared'
  /** So many there are to be. */
  readonly workers: number
}

/** A worker takes calls. */
export interface Listening {
  readonly kind: 'listening'
  readonly url: string
  /** What the gateway runs with, for the log. */
  readonly setting: Readonly<Record<string, string | number>>
}

/** What a worker tells the supervisor. */
export type WorkerMessage =
  | Prepared
  | Listening
  /** This worker needs the answers of all workers. */
  | { readonly kind: 'asked'; readonly topic: Topic; readonly question: number; readonly about?: unknown }
  | { readonly kind: 'answer'; readonly question: number; readonly value: unknown }
  /** For the other workers. */
  | { readonly kind: 'health'; readonly news: HealthNews }

/** What workers can be asked for: their metrics, what they hold in memory about channels, how they are, or their last log lines. */
export type Topic = 'metrics' | 'channels' | 'state' | 'log-lines'

/** What the supervisor tells a worker. Questions are the supervisor's numbers, but for the answer to a worker's own. */
export type SupervisorMessage =
  | { readonly kind: 'question'; readonly topic: Topic; readonly question: number; readonly about?: unknown }
  | { readonly kind: 'answers'; readonly topic: Topic; readonly question: number; readonly values: readonly unknown[] }
  | { readonly kind: 'health'; readonly news: HealthNews }
