import { beforeEach, expect, test } from 'bun:test'
import { idempotencyKeyHeader, userRoutes } from '@tollgate/contract'

import { Refusal, serve } from '../../../test/server'
import { call } from './api'

const grant = (value: number) =>
  call(userRoutes.manageUser, { body: { id: 7, action: 'add_quota', value } }).catch(() => 'failed')

let keys: (string | null)[] = []
let respond: () => unknown = () => ({ status: 1, role: 1 })

beforeEach(async () => {
  keys = []
  serve({
    'POST /api/user/manage': (_call, headers) => {
      keys.push(headers.get(idempotencyKeyHeader))
      return respond()
    },
  })
})

const succeed = () => ({ status: 1, role: 1 })
const loseConnection = () => {
  throw new TypeError('fetch failed')
}

test.each([
  ['the connection broke', loseConnection],
  ['a proxy responded', () => new Response('<html>', { status: 504 })],
  ['the gateway failed', () => new Refusal('db.down', 'no database', 503)],
  ['the first call is under way', () => new Refusal('act.under_way', 'wait', 409)],
])('an act that is made again after %s keeps its key, and the next one has another', async (_, failure) => {
  respond = failure
  await grant(100)
  respond = succeed
  await grant(100)
  await grant(100)
  const [first, second, third] = keys
  expect(first).toMatch(/^[0-9a-f]{24}$/)
  expect([second === first, third === first]).toEqual([true, false])
})

test('an act with other contents, and one after a refusal, has a key of its own', async () => {
  respond = loseConnection
  await grant(100)
  await grant(200)
  respond = () => new Refusal('user.none', 'no such user')
  await grant(300)
  respond = succeed
  await grant(300)
  expect(new Set(keys).size).toBe(4)
})
