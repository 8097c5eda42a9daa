import { describe, expect, test } from 'bun:test'

import { role, accountRoutes, sessionRoutes, setupRoutes, statusRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { FakeTime } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type WorldOptions } from '../../../test/world'
import { selfHandlers } from '../account/account'
import { sessionHandlers } from '../account/sessions'
import { makeSetupCode } from '../../app/process/setup-notice'
import { statusHandlers } from '../status/status'
import { setupHandlers } from './setup'

const root = { username: 'root', password: 'correct horse', confirmPassword: 'correct horse' }
const credentials = { username: root.username, password: root.password }
const handlers = [...setupHandlers, ...statusHandlers, ...sessionHandlers, ...selfHandlers]

async function emptySite(options: WorldOptions = {}, setupCode = '') {
  const world = await createWorld(options)
  const site = createTestConsole(world.ctx, handlers, { setupCode })
  return { ctx: world.ctx, site, client: site.client(), [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

describe.each(kinds)('set-up (%s)', (kind) => {
  test('set-up creates the super admin with its quota and stores the mode', async () => {
    await using empty = await emptySite({ kind })
    const { client, site } = empty
    expect(await client.call(setupRoutes.getSetup)).toEqual({
      status: false,
      root_init: false,
      database_type: kind,
      code_required: false,
    })
    expect((await client.call(statusRoutes.getStatus)).setup).toBe(false)

    await client.call(setupRoutes.setUp, { body: { ...root, SelfUseModeEnabled: true } })

    expect(await client.call(setupRoutes.getSetup)).toMatchObject({ status: true, root_init: true })
    const status = await client.call(statusRoutes.getStatus)
    expect(status).toMatchObject({ setup: true, self_use_mode_enabled: true, demo_site_enabled: false })
    const { id } = await client.call(sessionRoutes.logIn, { body: credentials })
    const self = await site.client(await site.signIn(id)).call(accountRoutes.getSelf)
    expect(self).toMatchObject({ username: 'root', role: role.root, quota: 100_000_000, display_name: 'Root User' })
  })

  test('set-up needs no invitation code', async () => {
    await using empty = await emptySite({ kind })
    await setOptionsIn(empty.ctx, { InvitationRequired: 'true' })
    await empty.client.call(setupRoutes.setUp, { body: root })
    expect((await empty.client.call(statusRoutes.getStatus)).setup).toBe(true)
  })

  test('one of fifty simultaneous set-ups succeeds', async () => {
    await using empty = await emptySite({ kind })
    const posts = Array.from({ length: 50 }, (_, index) =>
      empty.client.call(setupRoutes.setUp, { body: { ...root, username: `root-${index}` } }).then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    )
    const outcomes = await Promise.all(posts)
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'setup.done')).toHaveLength(49)
    const { query } = empty.ctx.database
    expect(await query.selectFrom('users').select(['role', 'quota']).execute()).toEqual([
      { role: role.root, quota: 100_000_000 },
    ])
    expect(await query.selectFrom('credits').select('kind').execute()).toEqual([{ kind: 'setup' }])
  })
})

describe('set-up', () => {
  test.each<[string, object, string, number]>([
    ['without a name', { username: ' ' }, 'setup.username', 200],
    ['with a short password', { password: '1234567', confirmPassword: '1234567' }, 'setup.short', 200],
    ['with two passwords', { confirmPassword: 'correct house' }, 'setup.mismatch', 200],
    ['with a mail address as the name', { username: 'a@b.c' }, 'user.username', 200],
    ['with a password too long', { password: 'x'.repeat(65), confirmPassword: 'x'.repeat(65) }, 'user.password', 200],
    ['with a field of its own', { role: 100 }, 'input.invalid', 400],
  ])('%s is refused and leaves nothing', async (_what, change, code, status) => {
    await using empty = await emptySite()
    const refused = empty.client.call(setupRoutes.setUp, { body: { ...root, ...change } })
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ code, status })
    const { query } = empty.ctx.database
    for (const table of ['users', 'setups', 'options', 'credits'] as const) {
      expect(await query.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  test('set-up requires the code that was printed, and no other', async () => {
    await using empty = await emptySite({}, 'a-code')
    const { client } = empty
    expect(await client.call(setupRoutes.getSetup)).toMatchObject({ code_required: true })
    for (const setupCode of [undefined, '', 'A-code', 'a-code-']) {
      const refused = client.call(setupRoutes.setUp, { body: { ...root, setupCode } })
      expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: 'setup.code', status: 403 })
    }
    await client.call(setupRoutes.setUp, { body: { ...root, setupCode: ' a-code ' } })
    expect(await client.call(setupRoutes.getSetup)).toMatchObject({ status: true, code_required: false })
  })

  const local = { address: '127.0.0.1', headers: { Host: 'localhost:3000', 'Content-Type': 'application/json' } }

  async function isCodeRequired({ site }: Awaited<ReturnType<typeof emptySite>>, headers: Record<string, string> = {}) {
    const sent = { ...local, headers: { ...local.headers, ...headers } }
    const state = (await (await site.send('GET', '/api/setup', sent)).json()) as { data: { code_required: boolean } }
    return state.data.code_required
  }

  test('set-up at this machine needs no code', async () => {
    await using empty = await emptySite({}, 'a-code')
    expect(await isCodeRequired(empty)).toBe(false)
    const response = await empty.site.send('POST', '/api/setup', { ...local, body: root })
    expect(await response.json()).toMatchObject({ success: true })
  })

  test.each<[string, Record<string, string>]>([
    ['through a proxy', { 'X-Forwarded-For': '203.0.113.9' }],
    ['for another host', { Host: 'gate.example.com' }],
    ['by another site’s page', { Origin: 'http://evil.example' }],
  ])(
    'the first request %s ends set-up without the code for good, at this machine and in other workers too',
    async (_who, headers) => {
      await using empty = await emptySite({}, 'a-code')
      expect(await isCodeRequired(empty, headers)).toBe(true)
      expect(await isCodeRequired(empty)).toBe(true)
      const response = await empty.site.send('POST', '/api/setup', { ...local, body: root })
      expect(await response.json()).toMatchObject({ code: 'setup.code' })
      const restarted = { ...empty, site: createTestConsole(empty.ctx, handlers, { setupCode: 'another-code' }) }
      expect(await isCodeRequired(restarted)).toBe(true)
    },
  )

  test('any request under another host ends set-up without the code, also one that no route serves', async () => {
    await using empty = await emptySite({}, 'a-code')
    await empty.site.send('GET', '/anything', { ...local, headers: { Host: 'gate.example.com' } })
    expect(await isCodeRequired(empty)).toBe(true)
  })

  test('a request that closes its connection is asked for the code, and leaves set-up at this machine open', async () => {
    await using empty = await emptySite({}, 'a-code')
    expect(await isCodeRequired(empty, { Connection: 'close' })).toBe(true)
    expect(await isCodeRequired(empty)).toBe(false)
  })

  test('set-up at this machine needs the code from an hour after the first start on', async () => {
    const time = new FakeTime()
    await using empty = await emptySite({ clock: time }, 'a-code')
    time.advance(3_599_000)
    expect(await isCodeRequired(empty)).toBe(false)
    time.advance(1_000)
    expect(await isCodeRequired(empty)).toBe(true)
  })

  test('a restart does not begin the hour again', async () => {
    const time = new FakeTime()
    await using empty = await emptySite({ clock: time }, 'a-code')
    await makeSetupCode(empty.ctx.database, time.now())
    time.advance(3_600_000)
    await makeSetupCode(empty.ctx.database, time.now())
    expect(await isCodeRequired({ ...empty, site: createTestConsole(empty.ctx, handlers, { setupCode: 'b' }) })).toBe(
      true,
    )
  })

  test('a gateway that always asks for the code asks at this machine too', async () => {
    await using empty = await emptySite({ environment: { REQUIRE_SETUP_CODE: 'true' } }, 'a-code')
    expect(await isCodeRequired(empty)).toBe(true)
  })

  test('set-up is refused once it is done, for all callers', async () => {
    await using empty = await emptySite()
    await empty.client.call(setupRoutes.setUp, { body: root })
    const refused = empty.client.call(setupRoutes.setUp, { body: {} })
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: 'setup.done', status: 400 })
  })
})
