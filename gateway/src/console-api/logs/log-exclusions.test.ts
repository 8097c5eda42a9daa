import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { logRoutes, logType, role } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { aLogRow } from '../../../test/rows'
import { createWorld, type World } from '../../../test/world'
import type { LogRow } from '../../platform/store/tables'
import { logHandlers } from './logs'

const hour = 3600
const start = 477_000 * hour
const now = start + 40 * hour + 600

describe.each(kinds)('exclusions from the log and its sums (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  let admin: SignedIn
  let ann: SignedIn
  let bob: SignedIn
  let rows: Omit<LogRow, 'id'>[]

  beforeAll(async () => {
    world = await createWorld({
      kind,
      clock: createClock(
        () => now * 1000,
        () => 0,
      ),
    })
    site = createTestConsole(world.ctx, logHandlers)
    admin = await site.signIn((await anAccount(world.ctx, { username: 'boss', role: role.admin })).id)
    ann = await site.signIn((await anAccount(world.ctx, { username: 'ann' })).id)
    bob = await site.signIn((await anAccount(world.ctx, { username: 'bob' })).id)
    const users = [ann.userId, bob.userId]
    rows = Array.from({ length: 160 }, (_, index) => {
      const isError = index % 5 === 4
      return aLogRow({
        request_id: `r${index}`,
        created_at: start + index * 900 + 7,
        type: isError ? logType.error : logType.consumption,
        user_id: users[index % 2] ?? 0,
        token_name: `key ${index % 3}`,
        model_name: `m${index % 4}`,
        channel_id: 1 + (index % 7),
        group: index % 3 === 0 ? 'vip' : 'default',
        quota: isError ? 0 : 1 + 2 ** (index % 20),
        other: isError ? `{"error_code":"${index % 2 ? 'upstream.busy' : 'upstream.failed'}"}` : '{}',
      })
    })
    const { query } = world.ctx.database
    await query.insertInto('logs').values(rows).execute()
    await query
      .insertInto('rollups')
      .values(
        rows.flatMap((row) =>
          row.type === logType.error
            ? []
            : {
                hour: Math.floor(row.created_at / hour) * hour,
                user_id: row.user_id,
                token_name: row.token_name,
                model_name: row.model_name,
                channel_id: row.channel_id,
                group: row.group,
                count: 1,
                errors: 0,
                quota: row.quota,
                prompt_tokens: row.prompt_tokens,
                completion_tokens: row.completion_tokens,
                use_time: row.use_time,
              },
        ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const codeOf = ({ other }: { readonly other: string }) => /"error_code":"([^"]+)"/.exec(other)?.[1]

  const cases: readonly (readonly [
    name: string,
    query: logRoutes.LogQuery,
    keeps: (row: Omit<LogRow, 'id'>) => boolean,
  ])[] = [
    ['a user', { not_username: ['ann'] }, ({ user_id: id }) => id !== ann.userId],
    ['a user who does not exist', { not_username: ['unknown'] }, () => true],
    ['models', { not_model_name: ['m0', 'm2'] }, ({ model_name: model }) => model !== 'm0' && model !== 'm2'],
    ['channels', { not_channel: [1, 5] }, ({ channel_id: id }) => id !== 1 && id !== 5],
    ['a token', { not_token_name: ['key 1'] }, ({ token_name: token }) => token !== 'key 1'],
    ['a group', { not_group: ['vip'] }, ({ group }) => group !== 'vip'],
    ['an error code', { not_error_code: ['upstream.busy'] }, (row) => codeOf(row) !== 'upstream.busy'],
    [
      'a model of one user',
      { username: 'bob', not_model_name: ['m1'] },
      ({ user_id: id, model_name: model }) => id === bob.userId && model !== 'm1',
    ],
  ]

  test.each(cases)('%s: the list and the sums of charged and of failed calls agree', async (_, query, keeps) => {
    const client = site.client(admin)
    const expected = rows.filter(keeps)
    const { items, total } = await client.call(logRoutes.listLogs, { query: { ...query, page_size: 100 } })
    expect(total).toBe(expected.length)
    expect(items.every((row) => expected.some(({ request_id: id }) => id === row.request_id))).toBe(true)
    for (const type of [logType.consumption, logType.error]) {
      const ofType = expected.filter((row) => row.type === type)
      const stat = await client.call(logRoutes.logStat, { query: { ...query, type } })
      expect(stat.quota).toBe(ofType.reduce((sum, { quota }) => sum + quota, 0))
      expect(stat.token_input).toBe(ofType.reduce((sum, { prompt_tokens: prompt }) => sum + prompt, 0))
    }
  })

  once('sums of failed calls do not include the cost of charged calls', async () => {
    const stat = await site.client(admin).call(logRoutes.logStat, { query: { type: logType.error } })
    expect(stat.quota).toBe(0)
  })

  once('users exclude values from their own rows', async () => {
    const client = site.client(ann)
    const { total } = await client.call(logRoutes.listOwnLogs, { query: { not_model_name: ['m0'] } })
    expect(total).toBe(rows.filter((row) => row.user_id === ann.userId && row.model_name !== 'm0').length)
    const whole = await client.call(logRoutes.listOwnLogs, { query: {} })
    expect(whole.total).toBe(80)
  })

  once('more than twenty names are refused', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `m${index}`)
    const refusal = await site
      .client(admin)
      .call(logRoutes.listLogs, { query: { not_model_name: many } })
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 400 })
  })
})
