import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** A name and a password before the host. */
const userInfo = /^(https?:\/\/)[^/?#\s]*@/i

const withoutUserInfo = (text: string): string => text.replace(userInfo, '$1')

/**
 * Removes the name and the password from addresses of options, with their history, and of webhooks: they were shown and stored as they were,
 * and nothing is sent to an address that has them. The addresses stay in force.
 */
export const addressesWithoutCredentials: NumberedMigration = {
  name: '0058-addresses-without-credentials',
  async up(db) {
    const options = await sql<{ key: string; value: string }>`
      select key, value from options where value like 'http%@%'`.execute(db)
    for (const { key, value } of options.rows)
      await sql`update options set value = ${withoutUserInfo(value)} where key = ${key}`.execute(db)
    const changes = await sql<{ id: number; before: string; after: string }>`
      select id, before, after from option_changes where before like 'http%@%' or after like 'http%@%'`.execute(db)
    for (const { id, before, after } of changes.rows)
      await sql`update option_changes set before = ${withoutUserInfo(before)}, after = ${withoutUserInfo(after)}
        where id = ${id}`.execute(db)
    const users = await sql<{ id: number; setting: string }>`
      select id, setting from users where setting like '%"webhook_url"%@%'`.execute(db)
    for (const { id, setting } of users.rows)
      await sql`update users set setting = ${settingWithoutUserInfo(setting)} where id = ${id}`.execute(db)
    const deliveries = await sql<{ id: string; url: string }>`
      select id, url from webhook_deliveries where url like 'http%@%'`.execute(db)
    for (const { id, url } of deliveries.rows)
      await sql`update webhook_deliveries set url = ${withoutUserInfo(url)} where id = ${id}`.execute(db)
  },
}

function settingWithoutUserInfo(text: string): string {
  try {
    const setting = JSON.parse(text) as Record<string, unknown>
    const { webhook_url: url } = setting
    return typeof url === 'string' ? JSON.stringify({ ...setting, webhook_url: withoutUserInfo(url) }) : text
  } catch {
    return text
  }
}
