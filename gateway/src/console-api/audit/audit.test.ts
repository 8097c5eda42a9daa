import { describe, expect, test } from 'bun:test'

import { auditRoutes, isSecretOption, optionKeys, role, accountRoutes, tokenRoutes } from '@tollgate/contract'
import { sql } from 'kysely'

import { anAccount, createTestConsole, type Sent, type SignedIn } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld } from '../../../test/world'
import { isWriteRoute } from '../../http/route-table'
import { handlers } from '../../../test/all-handlers'
import { WallClock } from '../../../test/fake-time'

const start = 1_800_000_000

async function aSite(kind: (typeof kinds)[number]) {
  const world = await createWorld({ kind, clock: new WallClock(start * 1000) })
  const { ctx } = world
  const console = createTestConsole(ctx, handlers)
  await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const signedIn = async (username: string, as: number, password?: string) =>
    console.signIn((await anAccount(ctx, { username, role: as, password })).id)
  const people = {
    root: await signedIn('root', role.root, 'root-password'),
    admin: await signedIn('admin', role.admin, 'admin-password'),
    ann: await signedIn('ann', role.user, 'ann-password'),
  }
  const send = async (
    as: keyof typeof people | null,
    method: string,
    path: string,
    body?: unknown,
    sent: Sent = {},
  ) => {
    const response = await console.send(method, path, { ...(as && { as: people[as] }), body, ...sent })
    return { status: response.status, text: await response.text() }
  }
  const rows = async (as: SignedIn = people.root, query: Record<string, string | number> = {}) =>
    (await console.client(as).call(auditRoutes.listAudit, { query: { page_size: 100, ...query } })).items
  return {
    ctx,
    console,
    people,
    send,
    rows,
    actions: async (...args: Parameters<typeof rows>) => (await rows(...args)).map(({ action }) => action),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const aChannel = { type: 1, name: 'one', key: 'sk-one', models: 'gpt-4o', group: 'default' }

test('every route that changes something says what the audit log calls it, and every one with a body whether it does', () => {
  const namesOf = (isFaulty: (route: (typeof handlers)[number]['route']) => boolean) =>
    handlers.filter(({ route }) => isFaulty(route)).map(({ route }) => `${route.method} ${route.path}`)
  // A callback leaves a row when it changed an order, not whenever a stranger calls.
  const isChange = (route: (typeof handlers)[number]['route']) => isWriteRoute(route) && !route.isCallback
  expect(namesOf((route) => isChange(route) && typeof route.audit !== 'string')).toEqual([])
  expect(namesOf((route) => route.body !== undefined && route.audit === undefined)).toEqual([])
  expect(namesOf(isChange).length).toBeGreaterThan(50)
})

describe.each(kinds)('the audit log (%s)', (kind) => {
  const once = onceOf(kind)

  once('the audit log has who did what to whom, from where, and the state before and after', async () => {
    await using site = await aSite(kind)
    const { send, people, rows } = site
    const sent = { headers: { 'User-Agent': 'Mozilla/5.0' }, address: '192.0.2.7' }
    await send('admin', 'PUT', '/api/user/', { id: people.ann.userId, display_name: 'Anna', group: 'default' }, sent)
    const [row] = await rows()
    expect(row).toEqual({
      id: expect.any(Number),
      created_at: start,
      request_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      user_id: people.admin.userId,
      username: 'admin',
      role: role.admin,
      means: 'session',
      ip: '192.0.2.7',
      user_agent: 'Mozilla/5.0',
      action: 'user.update',
      method: 'PUT',
      path: '/api/user/',
      target: 'user',
      target_id: String(people.ann.userId),
      target_name: 'ann',
      outcome: 'ok',
      before: { display_name: 'ann' },
      after: { display_name: 'Anna' },
    })
  })

  test('the audit log has a row for each kind of write', async () => {
    await using site = await aSite(kind)
    const { send, people, rows } = site
    const id = people.ann.userId
    await send('root', 'POST', '/api/user/manage', { id, action: 'disable' })
    await send('root', 'POST', '/api/user/manage', { id, action: 'add_quota', value: 500 })
    await send('root', 'PUT', '/api/option/', { key: 'ModelRatio', value: '{"a":1,"b":2}' })
    await send('root', 'PUT', '/api/option/', { key: 'ModelRatio', value: '{"a":1,"b":3}' })
    await send('admin', 'POST', '/api/channel/', aChannel)
    await send('admin', 'PUT', '/api/channel/', { id: 1, base_url: 'https://two.example', key: 'sk-two' })
    await send('admin', 'DELETE', '/api/channel/1')
    await send('root', 'POST', '/api/token/', { name: 'main', remain_quota: 5 })
    await send('root', 'PUT', '/api/token/', { id: 1, remain_quota: 7, name: 'other' })
    await send('root', 'DELETE', `/api/log/?target_timestamp=${start - 100}`)
    const all = (await rows()).toReversed()
    expect(all.map(({ action, target, target_id: of, outcome }) => [action, target, of, outcome])).toEqual([
      ['user.manage', 'user', String(id), 'ok'],
      ['user.manage', 'user', String(id), 'ok'],
      ['option.update', '', '', 'ok'],
      ['option.update', '', '', 'ok'],
      ['channel.create', 'channel', '1', 'ok'],
      ['channel.update', 'channel', '1', 'ok'],
      ['channel.delete', 'channel', '1', 'ok'],
      ['token.create', 'token', '1', 'ok'],
      ['token.update', 'token', '1', 'ok'],
      ['log.delete', '', '', 'ok'],
    ])
    const changes = all.map(({ before, after }) => ({ before, after }))
    expect(changes[0]).toEqual({ before: { status: 1 }, after: { action: 'disable', status: 2 } })
    expect(changes[1]).toEqual({ before: { quota: 0 }, after: { action: 'add_quota', quota: 500 } })
    expect(changes[3]).toEqual({ before: { ModelRatio: { b: 2 } }, after: { ModelRatio: { b: 3 } } })
    expect(changes[5]).toMatchObject({ before: { base_url: '' }, after: { base_url: 'https://two.example' } })
    expect(changes[5]?.before?.['fingerprints']).not.toEqual(changes[5]?.after?.['fingerprints'])
    expect(changes[6]).toMatchObject({ before: { name: 'one' }, after: null })
    expect(changes[8]).toEqual({ before: { name: 'main', remain_quota: 5 }, after: { name: 'other', remain_quota: 7 } })
    expect(changes[9]?.after).toEqual({ target_timestamp: start - 100, deleted: 0 })
  })

  once('one row of the audit log can be read by its id, with the right to do so', async () => {
    await using site = await aSite(kind)
    const { send, people, rows } = site
    await send('root', 'PUT', '/api/user/', { id: people.ann.userId, display_name: 'Anna' })
    await send('admin', 'PUT', '/api/user/', { id: people.ann.userId, display_name: 'Anne' })
    const [byAdmin, byRoot] = await rows()
    const idsOf = async (as: SignedIn, id = 0) => (await rows(as, { id })).map((row) => row.id)
    expect(await idsOf(people.root, byRoot?.id)).toEqual([byRoot?.id ?? 0])
    expect(await idsOf(people.admin, byAdmin?.id)).toEqual([byAdmin?.id ?? 0])
    expect(await idsOf(people.admin, byRoot?.id)).toEqual([])
  })

  once('the audit log has sign-ins, refused ones with the account that was tried, and refusals', async () => {
    await using site = await aSite(kind)
    const { send, people, rows } = site
    await send(null, 'POST', '/api/user/login', { username: 'ann', password: 'ann-password' })
    await send(null, 'POST', '/api/user/login', { username: 'ann', password: 'wrong' })
    await send(null, 'POST', '/api/user/login', { username: 'my-password-by-mistake', password: 'wrong' })
    for (let call = 0; call < 5; call += 1) await send('ann', 'GET', '/api/channel/')
    await send('admin', 'POST', '/api/user/manage', { id: people.root.userId, action: 'disable' })
    await send('ann', 'POST', '/api/token/', { name: '' })
    const entries = (await rows())
      .toReversed()
      .map(({ username, action, outcome, target_id: of }) => [username, action, outcome, of])
    expect(entries).toEqual([
      ['ann', 'session.begin', 'ok', ''],
      ['ann', 'session.begin', 'login.failed', ''],
      ['', 'session.begin', 'login.failed', ''],
      ['ann', '', 'auth.forbidden', ''],
      ['admin', 'user.manage', 'user.rank_edit', String(people.root.userId)],
    ])
    const text = JSON.stringify(await rows())
    for (const secret of ['my-password-by-mistake', 'wrong', 'ann-password']) expect(text).not.toContain(secret)
  })

  once('the audit log has reads of secrets: the texts of other users, and a token’s key', async () => {
    await using site = await aSite(kind)
    const { send, ctx, people, rows } = site
    const log = { request_id: 'said', created_at: start, type: 2, user_id: people.ann.userId, username: 'ann' }
    const rest = { token_id: 1, token_name: '', model_name: 'm', channel_id: 1, channel_name: '', group: '', other: '' }
    await ctx.database.query
      .insertInto('logs')
      .values({
        ...log,
        ...rest,
        is_stream: 0,
        use_time: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        quota: 0,
        content: '',
        client_ip: '',
      })
      .execute()
    await ctx.database.query
      .insertInto('log_texts')
      .values({ request_id: 'said', created_at: start, context: '', input: 'hello', output: 'hi' })
      .execute()
    await send('ann', 'GET', '/api/log/self/1')
    await send('admin', 'GET', '/api/log/1')
    await send('ann', 'POST', '/api/token/', { name: 'main' })
    const ann = site.console.client(people.ann)
    const params = { id: 1 }
    expect(ann.call(tokenRoutes.revealTokenKey, { params })).rejects.toMatchObject({ code: 'auth.step_up' })
    const { proof } = await ann.call(accountRoutes.stepUp, { body: { purpose: 'token_key', password: 'ann-password' } })
    await ann.call(tokenRoutes.revealTokenKey, { params, stepUpProof: proof })
    const reads = (await rows()).filter(({ action }) => action === 'log.read_texts' || action === 'token.reveal_key')
    expect(reads.map(({ username, action, target_id: of, outcome }) => [username, action, of, outcome])).toEqual([
      ['ann', 'token.reveal_key', '1', 'ok'],
      ['admin', 'log.read_texts', 'said', 'ok'],
    ])
  })

  once('the audit log has calls to vendors even when they failed, as a key was sent', async () => {
    await using site = await aSite(kind)
    const { send, rows } = site
    await send('admin', 'POST', '/api/channel/', { ...aChannel, base_url: 'http://127.0.0.1:1' })
    await send('admin', 'GET', '/api/channel/test/1')
    await send('admin', 'GET', '/api/channel/fetch_models/1')
    expect((await rows()).slice(0, 2).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['channel.ask_models', 'channel.fetch_failed'],
      ['channel.test', 'channel.test_failed'],
    ])
  })

  test('administrators read the rows of lower roles and their own, the super admin all', async () => {
    await using site = await aSite(kind)
    const { actions, send, people } = site
    await send('root', 'PUT', '/api/option/', { key: 'RetryTimes', value: '2' })
    await send('admin', 'POST', '/api/channel/', aChannel)
    await send('ann', 'POST', '/api/token/', { name: 'mine' })
    expect(await actions(people.root)).toEqual(['token.create', 'channel.create', 'option.update'])
    expect(await actions(people.admin)).toEqual(['token.create', 'channel.create'])
    expect((await send('ann', 'GET', '/api/audit')).status).toBe(403)
    expect(await actions(people.root, { action: 'channel' })).toEqual(['channel.create'])
    expect(await actions(people.root, { action: 'channel.create' })).toEqual(['channel.create'])
    expect(await actions(people.root, { action: 'chan%' })).toEqual([])
    expect(await actions(people.root, { username: 'ann', outcome: 'ok' })).toEqual(['token.create'])
    expect(await actions(people.root, { username: 'nobody' })).toEqual([])
    expect(await actions(people.root, { outcome: 'refused' })).toEqual([''])
    expect(await actions(people.root, { target: 'channel', target_id: 1 })).toEqual(['channel.create'])
    expect(await actions(people.root, { start_timestamp: start + 1 })).toEqual([])
  })

  once('the audit log is paged and exported, as far as each reader may read', async () => {
    await using site = await aSite(kind)
    const { send, ctx, people, rows } = site
    const row = { request_id: '', means: 'session', ip: '', user_agent: '', method: 'PUT', path: '/', target_name: '' }
    const texts = { outcome: 'ok', before: '', after: '', target: 'user', target_id: '1' }
    const some = Array.from({ length: 25 }, (_, index) => ({
      ...row,
      ...texts,
      created_at: start - 100 - Math.floor(index / 2),
      user_id: index % 2 === 0 ? people.ann.userId : people.root.userId,
      username: index % 2 === 0 ? 'ann' : 'root',
      role: index % 2 === 0 ? role.user : role.root,
      action: index % 3 === 0 ? 'user.update' : 'user.close',
      after: JSON.stringify({ index }),
    }))
    await ctx.database.query.insertInto('audit_log').values(some).execute()
    const indexesOf = async (as: SignedIn, query: Record<string, string | number> = {}) =>
      (await rows(as, query)).map(({ after }) => Number(after?.['index']))
    const sorted = (indexes: number[]) =>
      indexes.toSorted((one, other) => Math.floor(one / 2) - Math.floor(other / 2) || other - one)
    const all = sorted(some.map((_, index) => index))
    const ofAnn = all.filter((index) => index % 2 === 0)
    expect(await indexesOf(people.root, { action: 'user' })).toEqual(all)
    expect(await indexesOf(people.root, { action: 'user', page_size: 10, p: 2 })).toEqual(all.slice(10, 20))
    expect(await indexesOf(people.admin, { target: 'user' })).toEqual(ofAnn)
    expect(await indexesOf(people.admin)).toEqual(ofAnn)
    expect(await indexesOf(people.admin, { action: 'user.update' })).toEqual(ofAnn.filter((index) => index % 3 === 0))
    const file = await send('admin', 'GET', '/api/audit/export?action=user')
    const lines = file.text.trim().split('\r\n')
    expect(lines).toHaveLength(ofAnn.length + 1)
    expect(lines[1]).toContain('ann')
    expect(file.text).not.toContain('root')
    expect((await rows())[0]).toMatchObject({ action: 'audit.export', username: 'admin' })
  })

  test('the audit log cannot be changed or shortened, not even in the database', async () => {
    await using site = await aSite(kind)
    const { send, ctx, rows } = site
    await send('root', 'PUT', '/api/option/', { key: 'RetryTimes', value: '2' })
    const { query } = ctx.database
    expect(query.deleteFrom('audit_log').execute()).rejects.toThrow('audit_log only grows')
    expect(query.updateTable('audit_log').set({ username: 'x' }).execute()).rejects.toThrow('audit_log only grows')
    const all = kind === 'postgres' ? sql`truncate audit_log` : sql`delete from audit_log`
    expect(all.execute(query)).rejects.toThrow('audit_log only grows')
    expect(await rows()).toHaveLength(1)
  })

  once('the audit log contains no secret that any call received or returned', async () => {
    await using site = await aSite(kind)
    const { send, ctx, people } = site
    const responseSecrets: string[] = []
    const note = ({ text }: { text: string }) =>
      void responseSecrets.push(...(text.match(/"(?:key|data)":"([^"]{30,})"/g) ?? []))
    const channel = {
      ...aChannel,
      key: 'canary-key-one,canary-key-two',
      base_url: 'https://user:canary-in-address@one.example/v1?key=canary-in-query',
      setting: '{"proxy":"http://user:canary-in-proxy@proxy.example:1"}',
      param_override: '{"token":"canary-in-override","inner":{"x":"canary-within"}}',
    }
    await send('admin', 'POST', '/api/channel/', channel)
    await send('admin', 'PUT', '/api/channel/', { id: 1, key: 'canary-key-three', param_override: '{"y":"canary-y"}' })
    await send('admin', 'POST', '/api/channel/copy/1')
    await send('admin', 'POST', '/api/channel/fetch_models', {
      type: 1,
      key: 'canary-key-four',
      base_url: 'http://127.0.0.1:1',
    })
    await send('admin', 'POST', '/api/user/', { username: 'bob', password: 'canary-password-bob' })
    await send('admin', 'PUT', '/api/user/', { id: people.ann.userId, password: 'canary-password-ann' })
    await send('ann', 'PUT', '/api/user/self', { password: 'canary-new-one', original_password: 'canary-old-one' })
    note(await send('root', 'POST', '/api/token/', { name: 'main' }))
    note(await send('root', 'POST', '/api/token/1/key'))
    note(await send('root', 'POST', '/api/user/token'))
    for (const key of optionKeys.filter(isSecretOption)) {
      await send('root', 'PUT', '/api/option/', { key, value: `canary-option-${key}` })
    }
    await send(null, 'POST', '/api/user/login', { username: 'canary-name', password: 'canary-login' })
    const rows = JSON.stringify(await ctx.database.query.selectFrom('audit_log').selectAll().execute())
    expect(rows).not.toContain('canary')
    for (const { cookie } of Object.values(people)) expect(rows).not.toContain(cookie.replace('session=', ''))
    expect(responseSecrets.length).toBeGreaterThan(0)
    for (const text of responseSecrets) expect(rows).not.toContain(text.split('"')[3] ?? 'nothing')
  })
})
