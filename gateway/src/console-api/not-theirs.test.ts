import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { givableGrants, role, type Grant } from '@tollgate/contract'

import { handlers } from '../../test/all-handlers'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../test/console-client'
import { createWorld, type World } from '../../test/world'
import { deliverWebhooks } from '../messaging/notices/deliver-webhooks'
import { WallClock } from '../../test/fake-time'

/** Attempts of users, helpers and administrators on what is not theirs at the wallet, codes, notices, backups and the System page. */
const start = Date.UTC(2026, 0, 5, 12)
const clock = new WallClock(start)
const backup = 'manual-20260101-000000'

let world: World
let site: TestConsole
let ann: SignedIn
let bob: SignedIn
let admin: SignedIn
/** An administrator with every grant that can be given. */
let allGiven: SignedIn
let root: SignedIn

beforeAll(async () => {
  world = await createWorld({ clock })
  site = createTestConsole(world.ctx, handlers)
  await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  ann = await someone(role.user)
  bob = await someone(role.user)
  admin = await someone(role.admin, [])
  allGiven = await someone(role.admin, givableGrants)
  root = await someone(role.root)
  const folder = join(world.ctx.config.dataDir, 'backups', backup)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'secret-key'), 'canary-secret-key')
})
afterAll(() => world[Symbol.asyncDispose]())

async function someone(ofRole: number, grants?: readonly Grant[]): Promise<SignedIn> {
  const { id } = await anAccount(world.ctx, { role: ofRole, quota: 1000, password: 'long enough' })
  if (grants)
    await world.ctx.database.query
      .updateTable('users')
      .set({ grants: grants.join(',') })
      .where('id', '=', id)
      .execute()
  return site.signIn(id)
}

async function send(as: SignedIn, method: string, path: string, body?: unknown) {
  const response = await site.send(method, path, { as, body })
  const text = await response.text()
  return { status: response.status, text, code: /"code":"([\w.]+)"/.exec(text)?.[1] ?? null }
}

describe('a user', () => {
  test('a user reads no statement but their own, whatever the address names', async () => {
    await world.ctx.ledger.credit({ id: 'bobs', userId: bob.userId, kind: 'admin', amount: 4711 })
    for (const path of ['/api/user/statement', '/api/user/statement/export'])
      for (const query of ['', `?user_id=${bob.userId}`, `?id=${bob.userId}`, `?username=account`]) {
        const { status, text } = await send(ann, 'GET', path + query)
        expect([path + query, status, text.includes('4711')]).toEqual([path + query, 200, false])
      }
    expect((await send(bob, 'GET', '/api/user/statement')).text).toContain('4711')
    const asBob = { as: ann, headers: { 'Tollgate-View-As': String(bob.userId) } }
    expect((await site.send('GET', '/api/user/statement', asBob)).status).toBe(403)
  })

  test('a user can retry neither another user’s webhook nor one to an address of this network', async () => {
    const { query } = world.ctx.database
    const id = 'b'.repeat(32)
    const row = { id, type: 'test', url: 'https://bob.example', body: '{}', created_at: 1, expires_at: 1, due_at: null }
    const notYet = { delivered_at: null, attempted_at: null, status: null, duration_ms: null }
    await query
      .insertInto('webhook_deliveries')
      .values({ ...row, ...notYet, user_id: bob.userId })
      .execute()
    const address = { webhook_url: 'https://[::ffff:169.254.169.254]/latest', notify_type: 'webhook' }
    expect((await send(ann, 'PUT', '/api/user/setting', address)).code).toBeNull()
    expect((await send(ann, 'POST', `/api/user/notices/deliveries/${id}`)).code).toBe('notice.no_delivery')
    expect((await send(ann, 'GET', '/api/user/notices/deliveries')).text).not.toContain('bob.example')
    await send(ann, 'POST', '/api/user/notices/test')
    await deliverWebhooks(world.ctx, new AbortController().signal)
    const sent = await query.selectFrom('webhook_deliveries').selectAll().where('user_id', '=', ann.userId).execute()
    expect(sent).toMatchObject([{ status: null, failure: 'address', due_at: null }])
  })

  test('a user cannot guess codes: an account has few attempts, wherever they come from', async () => {
    const carl = await someone(role.user)
    const codes: (string | null)[] = []
    for (let guess = 0; guess < 21; guess += 1)
      codes.push((await send(carl, 'POST', '/api/user/topup', { key: `guess-${guess}` })).code)
    expect(new Set(codes.slice(0, 20))).toEqual(new Set(['redemption.invalid']))
    expect(codes[20]).toBe('rate.limited')
  })
})

describe('an administrator', () => {
  const secured = [
    ['GET', '/api/system/bundle'],
    ['POST', '/api/backup'],
    ['GET', `/api/backup/${backup}`],
    ['POST', `/api/backup/${backup}/verify`],
    ['DELETE', `/api/backup/${backup}`],
  ] as const

  test.each(secured)('%s %s is the super admin’s, and an attempt is in the audit log', async (method, path) => {
    for (const as of [ann, admin, allGiven]) expect((await send(as, method, path)).status).toBe(403)
    const rows = await world.ctx.database.query
      .selectFrom('audit_log')
      .select('user_id')
      .where('path', '=', path)
      .where('method', '=', method)
      .where('outcome', '=', 'auth.forbidden')
      .execute()
    expect(rows.map(({ user_id: id }) => id)).toContain(allGiven.userId)
    expect(readdirSync(join(world.ctx.config.dataDir, 'backups'))).toEqual([backup])
  })

  test('an administrator without grants can neither read nor write codes, prices, backups and the System page', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/redemption/'],
      ['GET', '/api/redemption/1'],
      ['POST', '/api/redemption/', { name: 'mine', quota: 1_000_000 }],
      ['DELETE', '/api/redemption/delete-disabled'],
      ['GET', '/api/prices/sync'],
      ['POST', '/api/prices/sync/run'],
      ['POST', '/api/prices/sync/decide', { decision: 'approve', filter: {} }],
      ['PUT', '/api/prices/sync/channels/1', { use: 'sale' }],
      ['GET', '/api/backup'],
      ['GET', '/api/system'],
      ['GET', '/api/system/checks'],
      ['POST', '/api/system/bundle/ticket'],
      ['GET', '/api/system/bundle/file?ticket=x'],
      ['POST', `/api/backup/${backup}/ticket`],
      ['PUT', '/api/system/log_level', { level: 'trace', minutes: 1 }],
      ['POST', '/api/system/release'],
    ] as const)
      expect([path, (await send(admin, method, path, body)).code]).toEqual([path, 'auth.forbidden'])
  })
})

test.each(['..%2fsecret-key', `${backup}%2f..%2f..%2fsecret-key`, `${backup}.deleted`, `${backup}%00`, 'secret-key'])(
  'the super admin’s backup %s leads nowhere',
  async (name) => {
    for (const [method, path] of [
      ['GET', `/api/backup/${name}`],
      ['DELETE', `/api/backup/${name}`],
      ['POST', `/api/backup/${name}/verify`],
      ['POST', `/api/backup/${name}/ticket`],
      ['GET', `/api/backup/${name}/file?ticket=x`],
    ] as const)
      expect([path, (await send(root, method, path)).code]).toEqual([path, 'input.invalid'])
    expect(readdirSync(join(world.ctx.config.dataDir, 'backups', backup))).toEqual(['secret-key'])
  },
)

test('a backup is downloaded only with a proof of the password, and another account’s is not accepted', async () => {
  expect((await send(root, 'GET', `/api/backup/${backup}`)).code).toBe('auth.step_up')
  const { text } = await send(bob, 'POST', '/api/user/step_up', { purpose: 'backup', password: 'long enough' })
  const proof = /"proof":"([^"]+)"/.exec(text)?.[1] ?? ''
  const headers = { 'Tollgate-Step-Up': proof }
  const response = await site.send('GET', `/api/backup/${backup}`, { as: root, headers })
  expect([proof !== '', (await response.text()).includes('canary')]).toEqual([true, false])
})
