import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { pino } from 'pino'

import type { Charge, LogEntry } from '../src/billing/ledger/ledger'
import type { LedgerOptions } from '../src/billing/ledger/open-ledger'
import type { Database } from '../src/platform/store/database'
import { systemTimers } from '../src/platform/time/timers'
import { FakeTime } from './fake-time'
import { leftOpen } from './left-open'

export const ledgerOptions = (database: Database, options: Partial<LedgerOptions> = {}): LedgerOptions => ({
  database,
  clock: new FakeTime(),
  timers: systemTimers,
  random: { number: () => Math.random(), bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
  log: pino({ level: 'silent' }),
  workerId: `w-${crypto.randomUUID()}`,
  nodeId: 'node',
  journalFolder: options.journalFolder ?? aJournalFolder(),
  durability: 'process',
  ...options,
})

/** Returns a new folder, which is removed after the last test. */
function aJournalFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  leftOpen.push(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const anEntry = (fields: Partial<LogEntry> = {}): LogEntry => ({
  createdAt: 1_800_000_000,
  type: 2,
  userId: 1,
  username: 'ann',
  tokenId: 1,
  tokenName: 'main',
  modelName: 'gpt-4o',
  group: 'default',
  channelId: 1,
  channelName: 'first',
  isStream: false,
  useTimeSeconds: 1,
  promptTokens: 10,
  completionTokens: 5,
  content: '',
  clientIp: '127.0.0.1',
  other: '{}',
  ...fields,
})

export const aCharge = (cost: number, fields: Partial<LogEntry> = {}): Charge => ({
  cost,
  isLogged: true,
  entry: anEntry(fields),
})

let names = 0

/** Creates a user who owns `quota`, all of it credited. Resolves with the id. */
export async function aUser({ query }: Database, quota: number): Promise<number> {
  const name = `user-${(names += 1)}`
  const { id } = await query
    .insertInto('users')
    .values({
      username: name,
      username_key: name,
      password_hash: '',
      display_name: '',
      role: 1,
      status: 1,
      aff_code: name,
      created_at: 1,
      deleted_at: null,
      email: null,
      quota,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('credits')
    .values({ id: `start:${id}`, user_id: id, kind: 'setup', amount: quota, created_at: 1, detail: '' })
    .execute()
  return id
}

/** Creates a key of the user; limited when it has a quota of its own. */
export async function aToken({ query }: Database, userId: number, quota: number | null = null): Promise<number> {
  const name = `key-${(names += 1)}`
  const { id } = await query
    .insertInto('tokens')
    .values({
      user_id: userId,
      key_hash: name,
      key_sealed: '',
      name,
      created_time: 1,
      remain_quota: quota ?? 0,
      unlimited_quota: quota === null ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface Books {
  free: number
  used: number
  requests: number
  leased: number
  leases: number
  held: number
  credited: number
  charged: number
  charges: number
}

/** Resolves with everything that a user was credited, and where it is now: one statement, so one moment. */
export async function booksOf({ query }: Database, userId: number): Promise<Books> {
  const { rows } = await sql<Books>`select users.quota as free, used_quota as used, request_count as requests,
    (select coalesce(sum(amount), 0) from leases where kind = 'user' and ref_id = users.id) as leased,
    (select count(*) from leases where kind = 'user' and ref_id = users.id) as leases,
    (select coalesce(sum(amount), 0) from holds where subscription_id = 0 and user_id = users.id) as held,
    (select coalesce(sum(amount), 0) from credits where user_id = users.id) as credited,
    (select coalesce(sum(quota), 0) from charges where user_id = users.id) as charged,
    (select count(*) from charges where user_id = users.id) as charges
    from users where id = ${userId}`.execute(query)
  const [row] = rows
  if (!row) throw new Error(`No user ${userId}`)
  return row
}
