import { sql } from 'kysely'
import { z } from 'zod'

import type { NumberedMigration } from '../migration'

/** Queued webhooks, and for some days their outcome; which users were notified of a low balance. */
export const notices: NumberedMigration = {
  name: '0022-notices',
  async up(db) {
    await sql`create table webhook_deliveries (
      id text primary key,
      user_id bigint not null,
      type text not null,
      url text not null,
      body text not null,
      attempts bigint not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      due_at bigint,
      delivered_at bigint,
      attempted_at bigint,
      status bigint,
      duration_ms bigint,
      response text not null default '',
      failure text not null default ''
    )`.execute(db)
    await sql`create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null`.execute(db)
    await sql`create index webhook_deliveries_by_user on webhook_deliveries (user_id, created_at)`.execute(db)
    await sql`create index webhook_deliveries_by_time on webhook_deliveries (created_at)`.execute(db)
    await sql`create table balance_notices (
      user_id bigint primary key,
      notified_at bigint not null,
      used_quota bigint
    )`.execute(db)
    await sql`alter table users add column webhook_secret_sealed text not null default ''`.execute(db)
    await sql`alter table users add column warned_below bigint`.execute(db)
    const chosen = await sql<{ id: number; setting: string }>`
      select id, setting from users where setting like '%quota_warning_threshold%'`.execute(db)
    for (const { id, setting } of chosen.rows) {
      const threshold = thresholdIn(setting)
      if (threshold !== null) await sql`update users set warned_below = ${threshold} where id = ${id}`.execute(db)
    }
  },
}

const Setting = z.object({ quota_warning_threshold: z.number().positive().max(Number.MAX_SAFE_INTEGER) })

function thresholdIn(setting: string): number | null {
  try {
    return Math.ceil(Setting.parse(JSON.parse(setting)).quota_warning_threshold)
  } catch {
    return null
  }
}
