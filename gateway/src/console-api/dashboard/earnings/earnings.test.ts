import { afterAll, beforeAll, expect, test } from 'bun:test'

import { ApiError, earningRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../../test/console-client'
import { createWorld, type World } from '../../../../test/world'
import { createApplyCharges } from '../../../billing/ledger/charge/apply-charges'
import { chargeRecord } from '../../../billing/ledger/charge/charge-record'
import { anEntry } from '../../../../test/ledger'
import { earningHandlers } from './earnings'

let world: World
let site: TestConsole
let admin: SignedIn

beforeAll(async () => {
  world = await createWorld()
  site = createTestConsole(world.ctx, earningHandlers)
  admin = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
  const channels = ['first', 'second', 'third', 'fourth']
  await world.ctx.database.query
    .insertInto('channels')
    .values(channels.map((name) => ({ type: 1, name, key_sealed: '', tag: null, created_time: 1 })))
    .execute()
  const createdAt = world.ctx.clock.seconds()
  const calls = [
    { cost: 100, channelId: 1, vendorCost: 40, modelName: 'a' },
    { cost: 100, channelId: 2, vendorCost: 130, modelName: 'a' },
    { cost: 70, channelId: 3, vendorCost: undefined, modelName: 'b' },
    { cost: 0, channelId: 4, vendorCost: 5, modelName: 'b' },
  ]
  const records = calls.map(({ cost, ...entry }, index) => {
    const payer = { userId: 1, tokenId: 1, isTokenLimited: false }
    const charge = { cost, isLogged: false, entry: anEntry({ createdAt, upstreamKey: 'abc', ...entry }) }
    return chargeRecord(`call-${index}`, payer, charge, { userLease: '', tokenLease: '' })
  })
  await createApplyCharges(world.ctx.database)(records)
})
afterAll(() => world[Symbol.asyncDispose]())

type Query = Record<string, string | number | boolean>
const read = (query: Query = {}) => site.client(admin).call(earningRoutes.earnings, { query })
const namesOf = async (query: Query) => (await read(query)).rows.map(({ name }) => name)

test('rows are sorted by any figure, those without it last in both directions', async () => {
  expect(await namesOf({})).toEqual(['first', 'fourth', 'second', 'third'])
  expect(await namesOf({ sort: 'profit', descending: false })).toEqual(['second', 'fourth', 'first', 'third'])
  // What is given away has no margin.
  expect(await namesOf({ sort: 'margin' })).toEqual(['first', 'second', 'third', 'fourth'])
  expect(await namesOf({ sort: 'unpriced' })).toEqual(['third', 'first', 'second', 'fourth'])
  expect(await namesOf({ sort: 'name', descending: false })).toEqual(['first', 'fourth', 'second', 'third'])
})

test('unknown costs are counted by themselves, and rows that are left out are one sum', async () => {
  const { rows, rest, totals } = await read({ limit: 1 })
  expect(totals).toMatchObject({ count: 4, quota: 270, sold: 200, cost: 175, unpriced: 1 })
  expect(rows).toMatchObject([{ id: 1, name: 'first', sold: 100, cost: 40, unpriced: 0 }])
  expect(rest).toMatchObject({ rows: 3, count: 3, quota: 170, sold: 100, cost: 135, unpriced: 1 })
  expect((await read({ channel: 3, group_by: 'model' })).rows).toMatchObject([{ name: 'b', cost: 0, unpriced: 1 }])
})

test('sums by upstream key have no filter but the channel', async () => {
  const { rows } = await read({ group_by: 'key', channel: 2 })
  expect(rows).toMatchObject([{ id: 2, name: 'second', key: 'abc', count: 1, cost: 130 }])
  expect((await read({ group_by: 'time', key: 'abc' })).totals.count).toBe(4)
  const refused: Query[] = [
    { group_by: 'key', model_name: 'a' },
    { group_by: 'model', key: 'abc' },
  ]
  for (const query of refused) {
    const refusal = await read(query).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ code: 'param.invalid' })
  }
})

test('the file has every row, and leaves what is not known empty', async () => {
  const response = await site.send('GET', '/api/data/earnings/export?sort=name&descending=false', {
    as: admin,
    headers: { 'Accept-Language': 'en' },
  })
  const [head = '', ...lines] = (await response.text()).replace('\uFEFF', '').trimEnd().split('\r\n')
  const names = head.split(',')
  const cell = (line: string | undefined, name: string) => line?.split(',')[names.indexOf(name)]
  expect(lines).toHaveLength(4)
  expect(['Cost (quota)', 'Profit (quota)', 'Margin (%)'].map((name) => cell(lines[0], name))).toEqual([
    '40',
    '60',
    '60',
  ])
  expect(['Cost (quota)', 'Profit (quota)', 'Margin (%)'].map((name) => cell(lines[3], name))).toEqual(['', '', ''])
  expect(cell(lines[3], 'Sale of unknown cost (quota)')).toBe('70')
})

test('costs are read by those with the right alone', async () => {
  const support = await anAccount(world.ctx, { role: role.admin })
  await world.ctx.database.query
    .updateTable('users')
    .set({ grants: 'logs.read,prices.read' })
    .where('id', '=', support.id)
    .execute()
  const refusal = await site
    .client(await site.signIn(support.id))
    .call(earningRoutes.earnings)
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'auth.forbidden' })
})
