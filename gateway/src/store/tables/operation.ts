import type { Generated } from 'kysely'

/** What other workers must hear of: `catalog`, or a user or token that changed. */
interface ChangesTable {
  /** Given out under a lock, so that a reader never sees a later one first. */
  seq: number
  topic: string
  ref_id: number
  created_at: number
}

/** Mails that wait to be sent, and for some days what became of them: see `mail/send-mails`. */
interface MailsTable {
  id: string
  kind: string
  recipient: string
  language: string
  /** JSON; empty once nothing more is done. */
  params: string
  attempts: Generated<number>
  /** Why the last attempt failed: a stored phrase. */
  failure: Generated<string>
  created_at: number
  /** After this nobody waits for it any more. */
  expires_at: number
  /** When it is tried next; null: never. */
  due_at: number | null
  sent_at: number | null
}

/** Events counted in windows, for limits that all workers share. */
interface LimitCountsTable {
  key: string
  count: number
  ends_at: number
}

interface CountersTable {
  name: string
  value: number
}

interface LocksTable {
  name: string
  holder: string
  expires_at: number
}

interface SetupsTable {
  id: number
  version: string
  initialized_at: number
}

interface SecretProbesTable {
  id: number
  sealed: string
}

/** What the gateway needs to run: announcements, mails that wait, limits, locks. */
export interface OperationTables {
  changes: ChangesTable
  mails: MailsTable
  limit_counts: LimitCountsTable
  counters: CountersTable
  locks: LocksTable
  setups: SetupsTable
  secret_probes: SecretProbesTable
}
