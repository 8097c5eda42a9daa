import { expect, test } from 'bun:test'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { migrate, migratorOf } from './migrate'

const before = '0057-progress-of-acts'

test.each(eachDatabase)(
  'addresses that an earlier release stored lose their names and passwords, and stay in force (%s)',
  async (kind) => {
    const world = await emptyDatabase(kind)
    const { database } = world
    const { query } = database
    try {
      await migratorOf(database).migrateTo(before)
      const whole = 'https://name:s3cret@worker.example/call?to=a@b'
      const plain = 'https://worker.example/call?to=a@b'
      await query
        .insertInto('options')
        .values([
          { key: 'WorkerUrl', value: whole },
          { key: 'ServerAddress', value: plain },
          { key: 'Notice', value: 'Write to https://name@example.com' },
        ])
        .execute()
      const change = { key: 'WorkerUrl', created_at: 1, request_id: '', user_id: 1, username: '' }
      await query
        .insertInto('option_changes')
        .values({ ...change, before: plain, after: whole })
        .execute()
      const empty = { email: null, access_token_hash: null, warned_below: null, deleted_at: null }
      const user = { ...empty, password_hash: '', display_name: '', role: 1, status: 1, created_at: 1 }
      const settings = [
        `{"webhook_url":"${whole}","notification_email":"a@example.com"}`,
        '{"notification_email":"a@b"}',
        '{"webhook_url"@',
      ]
      for (const [index, setting] of settings.entries())
        await query
          .insertInto('users')
          .values({
            ...user,
            username: `user${index}`,
            username_key: `user${index}`,
            aff_code: `code${index}`,
            setting,
          })
          .execute()
      await migrate(database)
      const options = await query.selectFrom('options').select('value').orderBy('key').execute()
      expect(options.map(({ value }) => value)).toEqual(['Write to https://name@example.com', plain, plain])
      const [changed] = await query.selectFrom('option_changes').select(['before', 'after']).execute()
      expect(changed).toEqual({ before: plain, after: plain })
      const users = await query.selectFrom('users').select('setting').orderBy('username').execute()
      expect(users.map(({ setting }) => setting)).toEqual([
        `{"webhook_url":"${plain}","notification_email":"a@example.com"}`,
        ...settings.slice(1),
      ])
    } finally {
      await world.drop()
    }
  },
)
