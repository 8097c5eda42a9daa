import { describe, expect, test } from 'bun:test'

import { role, selfRoutes, sessionRoutes, setupRoutes, statusRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createWorld, type WorldOptions } from '../../../test/world'
import { selfHandlers } from '../accounts-self/self'
import { sessionHandlers } from '../accounts-self/sessions'
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
    const self = await site.client(await site.signIn(id)).call(selfRoutes.getSelf)
    expect(self).toMatchObject({ username: 'root', role: role.root, quota: 100_000_000, display_name: 'Root User' })
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

  test.each<[string, Record<string, string>, boolean]>([
    ['from this machine', {}, false],
    ['through a proxy', { 'X-Forwarded-For': '203.0.113.9' }, true],
    ['for another host', { Host: 'evil.example' }, true],
    ['by another site’s page', { Origin: 'http://evil.example' }, true],
  ])('%s asks for the code: %j, %p', async (_who, headers, isAsked) => {
    await using empty = await emptySite({}, 'a-code')
    const sent = {
      address: '127.0.0.1',
      headers: { Host: 'localhost:3000', 'Content-Type': 'application/json', ...headers },
    }
    const state = await empty.site.send('GET', '/api/setup', sent)
    expect(await state.json()).toMatchObject({ data: { code_required: isAsked } })
    const answer = await empty.site.send('POST', '/api/setup', { ...sent, body: root })
    expect(await answer.json()).toMatchObject(isAsked ? { code: 'setup.code' } : { success: true })
  })

  test('set-up is refused once it is done, for all callers', async () => {
    await using empty = await emptySite()
    await empty.client.call(setupRoutes.setUp, { body: root })
    const refused = empty.client.call(setupRoutes.setUp, { body: {} })
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: 'setup.done', status: 400 })
  })
})
