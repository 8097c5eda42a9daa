import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { logType } from '@tollgate/contract'
import { sql } from 'kysely'

import { systemClock } from '../../platform/time/clock'
import { eachDatabase, freshDatabase, type TestDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { aCharge, anEntry, aToken, aUser, ledgerOptions } from '../../../test/ledger'
import { createLedger } from '../../billing/ledger/open-ledger'
import type { Ledger, Reservation } from '../../billing/ledger/ledger'
import { noteRemoval } from '../../operations/retention/read-retained-since'
import { addUpHours } from '../../../test/sums'
import { rollUpMeasures } from '../../billing/analytics/measures/roll-up-measures'
import { runCommand } from './run-command'
import { WallClock } from '../../../test/fake-time'

/** Runs it as the operator would. */
async function runReconcile(environment: Record<string, string>, ...parameters: string[]) {
  const lines: string[] = []
  const code = await runCommand(['reconcile', ...parameters], { environment, print: (line) => lines.push(line) })
  return { code, lines, text: lines.join('\n') }
}

/** Streamed, and measured as its log row says. */
const aMeasuredCall = {
  channelId: 1,
  isStream: true,
  other: JSON.stringify({ frt: 210, use_time_ms: 1200, cache_tokens: 4, admin_info: { cost: 3 } }),
  vendorCost: 3,
  measures: { wholeMs: 1200, firstTokenMs: 210, cachedTokens: 4, cacheSaved: 3 },
}

const nowSeconds = () => systemClock.seconds()

for (const kind of eachDatabase) {
  describe(`reconcile (${kind})`, () => {
    let world: TestDatabase
    let ledger: Ledger
    let openReservation: Reservation
    let environment: Record<string, string>
    let userId: number
    let tokenId: number
    const query = () => world.database.query

    beforeAll(async () => {
      world = await freshDatabase(kind)
      environment = kind === 'postgres' ? { DATABASE_URL: world.location } : { DATA_DIR: join(world.location, '..') }
      await query()
        .insertInto('channels')
        .values({ type: 1, name: 'first', key_sealed: '', tag: null, created_time: nowSeconds() })
        .execute()
      userId = await aUser(world.database, 10_000)
      tokenId = await aToken(world.database, userId, 5000)
      await query().updateTable('tokens').set({ created_time: nowSeconds() }).execute()
      await addInvitations(world, userId)
      await addRedemption(world)
      const clock = new WallClock()
      ledger = await createLedger(ledgerOptions(world.database, { clock }))
      const payer = { userId, tokenId, isTokenLimited: true }
      // A call in flight: its lease stays, however slow the machine is.
      openReservation = await ledger.reserve('under-way', payer, 10)
      for (const cost of [10, 20, 30]) {
        const reservation = await ledger.reserve(`call-${cost}`, payer, 100)
        await ledger.charge(reservation, aCharge(cost, { ...aMeasuredCall, createdAt: nowSeconds() }))
      }
      await ledger.waitUntilApplied()
      await eventually(async () => {
        const charges = await query().selectFrom('charges').select('request_id').execute()
        return charges.length === 3 || undefined
      })
      while (await rollUpMeasures(world.database, nowSeconds() + 3600, 10));
      const failed = { error_code: 'upstream.busy', use_time_ms: 40 }
      ledger.record(
        'failed',
        anEntry({
          createdAt: nowSeconds(),
          type: logType.error,
          userId,
          errorCode: failed.error_code,
          other: JSON.stringify(failed),
        }),
      )
      await eventually(() => query().selectFrom('measure_batches').select('id').executeTakeFirst())
      await addUpHours(world.database, nowSeconds() + 1)
    })
    afterAll(async () => {
      ledger.release(openReservation)
      await ledger.close()
      await world.drop()
    })

    test('consistent balances are reported as such, while a worker still holds leases', async () => {
      const { code, text } = await runReconcile(environment)
      expect(text).toMatch(/^Compared 4 users, 1 tokens, 1 channels, \d hourly sums, 3 charges: everything agrees\.$/)
      expect(code).toBe(0)
    })

    const changes = [
      { what: 'a balance', by: 'update users set quota = quota + 7', checks: ['user-balance'] },
      { what: 'a lease', by: "update leases set amount = amount - 2 where kind = 'user'", checks: ['user-balance'] },
      { what: 'used quota', by: 'update users set used_quota = 61', checks: ['user-balance', 'user-used-quota'] },
      { what: 'calls', by: 'update users set request_count = 2', checks: ['user-request-count'] },
      { what: 'a key', by: 'update tokens set used_quota = 61', checks: ['token-used-quota'] },
      { what: 'a channel', by: 'update channels set used_quota = 59', checks: ['channel-used-quota'] },
      {
        what: 'an hour',
        by: 'update rollups set quota = quota + 1, count = count + 1',
        checks: [
          'user-used-quota',
          'user-request-count',
          'channel-used-quota',
          'hour-quota',
          'hour-count',
          'column-hour',
          'column-day',
        ],
      },
      {
        what: 'a cost by column',
        by: 'update daily_sums set vendor_cost = vendor_cost + 1 where dimension = 4',
        checks: ['column-costs'],
      },
      {
        what: 'a cost in the log',
        by: `update logs set other = replace(other, '"cost":3', '"cost":4')`,
        checks: ['hour-cost'],
      },
      {
        what: 'an hour by upstream key',
        by: 'update key_rollups set quota = quota + 1',
        checks: ['key-hour', 'key-day'],
      },
      {
        what: 'an hour by column',
        by: 'update hourly_sums set quota = quota + 1 where dimension = 1',
        checks: ['column-hour'],
      },
      {
        what: 'a day by column',
        by: 'update daily_sums set quota = quota + 1 where dimension = 4',
        checks: ['column-day'],
      },
      {
        what: 'a pack of measures',
        by: 'delete from usage_packs where pack = 202',
        checks: ['measure-calls', 'measure-tokens', 'measure-times'],
      },
      {
        what: 'a batch of measures',
        by: 'delete from measure_batches',
        checks: ['measure-calls', 'measure-errors'],
      },
      {
        what: 'the time of a call',
        by: `update logs set other = replace(other, '1200', '9200')`,
        checks: ['measure-times'],
      },
      {
        what: 'the model of a call',
        by: `update logs set model_name = 'gpt-5' where request_id = 'call-10'`,
        checks: ['measure-calls'],
      },
      { what: 'a purse', by: 'update users set aff_quota = aff_quota + 1', checks: ['user-purse'] },
      {
        what: 'a total of earnings',
        by: 'update users set aff_history_quota = aff_history_quota - 1',
        checks: ['user-earned', 'user-purse'],
      },
      {
        what: 'an invitation',
        by: `update invitations set state = 'rewarded'`,
        checks: ['user-earned', 'invitee-credit'],
      },
      {
        what: 'a credit of an invitee',
        by: `update credits set amount = amount + 1 where id like 'invitation:%'`,
        checks: ['user-balance', 'invitee-credit'],
      },
      { what: 'a count of uses', by: 'update redemption_codes set used_count = 2', checks: ['code-uses'] },
      {
        what: 'a use of a code',
        by: 'update redemption_uses set quota = quota + 1',
        checks: ['code-credit'],
      },
      {
        what: 'a credit',
        by: 'delete from credits',
        checks: ['user-balance', 'user-purse', 'invitee-credit', 'code-credit'],
      },
    ]
    for (const { what, by, checks } of changes) {
      test(`${what} that was changed by hand is found`, async () => {
        const undo = await remember(world)
        await execute(world, by)
        const { code, text } = await runReconcile(environment, '--json')
        await undo()
        const { isBalanced, differences } = JSON.parse(text) as {
          isBalanced: boolean
          differences: { check: string }[]
        }
        expect([...new Set(differences.map(({ check }) => check))]).toEqual(checks)
        expect([code, isBalanced]).toEqual([1, false])
      })
    }

    test('a difference is a sentence with both figures', async () => {
      const undo = await remember(world)
      await execute(world, 'update channels set used_quota = 59')
      const { lines } = await runReconcile(environment)
      await undo()
      expect(lines[0]).toBe('channel 1: used quota 59, in the hourly sums 60, difference -1')
    })

    test('measures of hours whose log rows are gone are compared with each other', async () => {
      const undo = await remember(world)
      await noteRemoval(query(), 'log', nowSeconds() + 60)
      await execute(world, 'delete from logs')
      const untouched = await runReconcile(environment)
      await execute(world, 'delete from usage_packs where pack = 204')
      const { code, lines } = await runReconcile(environment)
      await undo()
      expect([untouched.code, code]).toEqual([0, 1])
      expect(lines[0]).toMatch(/^measures 204, hour .*: calls \d, expected \d, difference -\d$/)
    })

    test('an old key may have used more than the charges that are kept, never less', async () => {
      const undo = await remember(world)
      await execute(world, 'update tokens set created_time = 1, used_quota = 1000')
      const more = await runReconcile(environment)
      await execute(world, 'update tokens set used_quota = 59')
      const less = await runReconcile(environment)
      await undo()
      expect([more.code, less.code]).toEqual([0, 1])
    })

    test('a copy that began with the used quota of its original is consistent', async () => {
      const undo = await remember(world)
      await execute(world, "insert into counters (name, value) values ('channel-inherited-quota:1', 40)")
      await execute(world, 'update channels set used_quota = 100')
      const { code } = await runReconcile(environment)
      await undo()
      expect(code).toBe(0)
    })
  })
}

/** One that was paid for, part of which was moved to the balance, and one that waits. */
async function addInvitations({ database }: TestDatabase, inviterId: number) {
  const { query } = database
  const invitation = { inviter_id: inviterId, address: '', device_hash: '', inviter_quota: 50, created_at: 1 }
  const credit = { kind: 'invitation', created_at: 1, detail: '' }
  for (const state of ['rewarded', 'waiting']) {
    const invitee = await aUser(database, 30)
    await query
      .insertInto('invitations')
      .values({ ...invitation, invitee_id: invitee, invitee_quota: 30, state })
      .execute()
    // What the factory credits is what the invitation earned.
    if (state === 'rewarded') {
      await query
        .updateTable('credits')
        .set({ id: `invitation:${invitee}`, kind: 'invitation' })
        .where('user_id', '=', invitee)
        .execute()
    }
  }
  await query
    .updateTable('users')
    .set((eb) => ({ quota: eb('quota', '+', 20), aff_quota: 30, aff_history_quota: 50 }))
    .where('id', '=', inviterId)
    .execute()
  await query
    .insertInto('credits')
    .values({ ...credit, id: 'invitation-transfer:1', user_id: inviterId, amount: 20 })
    .execute()
}

/** A user whose whole balance is a gift code. */
async function addRedemption({ database }: TestDatabase) {
  const { query } = database
  const userId = await aUser(database, 7)
  const terms = { name: 'gift', quota: 7, is_gift: 1, max_uses: -1, valid_from: 0, valid_until: 0 }
  const code = await query
    .insertInto('redemption_codes')
    .values({ ...terms, key_hash: 'h', key_sealed: '', status: 1, created_time: 1, created_by: 1, used_count: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('redemption_uses')
    .values({ redemption_id: code.id, user_id: userId, used_at: 1, quota: 7 })
    .execute()
  await query
    .updateTable('credits')
    .set({ id: `redemption:${code.id}:${userId}`, kind: 'redemption' })
    .where('user_id', '=', userId)
    .execute()
}

async function remember({ database: { query } }: TestDatabase) {
  const [
    users,
    tokens,
    channels,
    leases,
    rollups,
    keyed,
    hours,
    days,
    packs,
    batches,
    logs,
    credits,
    invitations,
    codes,
    uses,
  ] = [
    await query.selectFrom('users').selectAll().execute(),
    await query.selectFrom('tokens').selectAll().execute(),
    await query.selectFrom('channels').selectAll().execute(),
    await query.selectFrom('leases').selectAll().execute(),
    await query.selectFrom('rollups').selectAll().execute(),
    await query.selectFrom('key_rollups').selectAll().execute(),
    await query.selectFrom('hourly_sums').selectAll().execute(),
    await query.selectFrom('daily_sums').selectAll().execute(),
    await query.selectFrom('usage_packs').selectAll().execute(),
    await query.selectFrom('measure_batches').selectAll().execute(),
    await query.selectFrom('logs').selectAll().execute(),
    await query.selectFrom('credits').selectAll().execute(),
    await query.selectFrom('invitations').selectAll().execute(),
    await query.selectFrom('redemption_codes').selectAll().execute(),
    await query.selectFrom('redemption_uses').selectAll().execute(),
  ]
  return async () => {
    for (const table of [
      'users',
      'tokens',
      'channels',
      'leases',
      'rollups',
      'key_rollups',
      'hourly_sums',
      'daily_sums',
      'usage_packs',
      'measure_batches',
      'logs',
      'credits',
      'invitations',
      'redemption_codes',
      'redemption_uses',
      'counters',
      'site_notes',
    ] as const) {
      await query.deleteFrom(table).execute()
    }
    // PostgreSQL generates the searched text itself.
    await query
      .insertInto('users')
      .values(users.map(({ search_text: _made, ...user }) => user))
      .execute()
    await query.insertInto('tokens').values(tokens).execute()
    await query.insertInto('channels').values(channels).execute()
    await query.insertInto('leases').values(leases).execute()
    await query.insertInto('rollups').values(rollups).execute()
    await query.insertInto('key_rollups').values(keyed).execute()
    await query.insertInto('hourly_sums').values(hours).execute()
    await query.insertInto('daily_sums').values(days).execute()
    await query.insertInto('usage_packs').values(packs).execute()
    await query
      .insertInto('measure_batches')
      .values(batches.map((row) => ({ ...row, id: undefined })))
      .execute()
    await query
      .insertInto('logs')
      .values(logs.map((row) => ({ ...row, id: undefined })))
      .execute()
    await query.insertInto('credits').values(credits).execute()
    await query.insertInto('redemption_codes').values(codes).execute()
    await query.insertInto('redemption_uses').values(uses).execute()
    await query.insertInto('invitations').values(invitations).execute()
  }
}

async function execute({ database }: TestDatabase, statement: string) {
  await sql.raw(statement).execute(database.query)
}

describe('a folder without a database', () => {
  let path: string
  beforeAll(() => {
    path = mkdtempSync(join(tmpdir(), 'tollgate-reconcile-'))
  })
  afterAll(() => rmSync(path, { recursive: true, force: true }))

  test('a missing database is named and nothing is created', async () => {
    const { code, text } = await runReconcile({ DATA_DIR: path })
    expect([code, text]).toEqual([1, `There is no database ${join(path, 'tollgate.sqlite')}. Is DATA_DIR right?`])
    expect(readdirSync(path)).toEqual([])
  })

  test('a file that is not a database is a sentence, not a stack', async () => {
    writeFileSync(join(path, 'tollgate.sqlite'), 'not a database at all, and long enough to be read as one'.repeat(40))
    const { code, text } = await runReconcile({ DATA_DIR: path })
    expect([code, text]).toEqual([1, expect.stringContaining('cannot be read: file is not a database')])
  })

  test('unknown arguments are reported with the usage', async () => {
    const { code, text } = await runReconcile({ DATA_DIR: path }, '--yaml')
    expect([code, text]).toEqual([2, 'reconcile does not take --yaml.\nUsage: tollgate reconcile [--json]'])
  })
})
