import type { windowRoutes } from '@tollgate/contract'
import type { Generated } from 'kysely'

/** A limit that begins anew, as it is set. What it counts and how long it is never change; an edit of either makes a new row. */
export interface WindowsTable {
  id: Generated<number>
  owner: windowRoutes.WindowOwner
  /** The id of the key, user, plan or channel; the name of the group; the channel's id, a colon and the fingerprint of a channel's key. */
  ref: string
  name: string
  measure: windowRoutes.WindowMeasure
  limit_amount: number
  span: windowRoutes.WindowSpan
  seconds: Generated<number>
  starts_at: Generated<number>
  ends_at: Generated<number>
  is_sliding: Generated<number>
  /** Empty: that of the site. */
  time_zone: Generated<string>
  grace_percent: Generated<number>
  fallback_model: Generated<string>
  /** Comma-separated, rising. */
  alert_percents: Generated<string>
  alerts_operators: Generated<number>
  created_at: number
}

/** One period of a window for one of those whom it limits: an account from which workers lease. */
interface WindowPeriodsTable {
  id: Generated<number>
  window_id: number
  /** The id of the key, user, subscription or channel whose calls it counts. */
  subject_id: number
  starts_at: number
  /** `endless` where it never begins anew. */
  ends_at: number
  /** The limit and its grace. */
  capacity: number
  /** What is neither used nor leased; below zero where calls used more than they had held. */
  free: number
  /** What was used when the present term of a subscription began. */
  used_before: Generated<number>
  /** The highest threshold of which the owner was told. */
  alerted_percent: Generated<number>
}

export interface WindowTables {
  windows: WindowsTable
  window_periods: WindowPeriodsTable
}
