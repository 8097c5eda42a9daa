import { sql, type Kysely } from 'kysely'

import type { DatabaseKind } from '../database'
import type { NumberedMigration } from '../migration'

/** Who did what. The database itself refuses to change or remove a row. */
export const auditLog: NumberedMigration = {
  name: '0009-audit-log',
  async up(db, kind) {
    await createTable(db, kind)
    await db.schema.createIndex('audit_log_time').on('audit_log').columns(['created_at', 'id']).execute()
    await db.schema.createIndex('audit_log_user').on('audit_log').columns(['user_id', 'created_at']).execute()
    await db.schema
      .createIndex('audit_log_target')
      .on('audit_log')
      .columns(['target', 'target_id', 'created_at'])
      .execute()
    if (kind === 'sqlite') await refuseOnSqlite(db)
    else await refuseOnPostgres(db)
  },
}

const texts = ['request_id', 'username', 'means', 'ip', 'user_agent', 'action', 'method', 'path'] as const
const laterTexts = ['target', 'target_id', 'target_name', 'outcome', 'before', 'after'] as const

async function createTable(db: Kysely<unknown>, kind: DatabaseKind) {
  let table = db.schema.createTable('audit_log')
  table =
    kind === 'sqlite'
      ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
  for (const name of ['created_at', 'user_id', 'role']) {
    table = table.addColumn(name, 'bigint', (column) => column.notNull())
  }
  for (const name of [...texts, ...laterTexts]) {
    table = table.addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
  }
  await table.execute()
}

async function refuseOnSqlite(db: Kysely<unknown>) {
  for (const act of ['update', 'delete']) {
    await sql`create trigger ${sql.raw(`audit_log_no_${act}`)} before ${sql.raw(act)} on audit_log
      begin select raise(abort, 'audit_log only grows'); end`.execute(db)
  }
}

async function refuseOnPostgres(db: Kysely<unknown>) {
  await sql`create function audit_log_only_grows() returns trigger language plpgsql as
    $$ begin raise exception 'audit_log only grows'; end $$`.execute(db)
  await sql`create trigger audit_log_only_grows before update or delete or truncate on audit_log
    for each statement execute function audit_log_only_grows()`.execute(db)
}
