import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { areaPresets, auditRoutes, givableGrants, role, userRoutes, type Grant } from '@tollgate/contract'

import { handlers } from '../../../test/all-handlers'
import { anAccount, createTestConsole, type SignedIn } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'

const password = 'long enough'

describe.each(kinds)('grants (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: ReturnType<typeof createTestConsole>
  let root: SignedIn

  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, handlers)
    await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    root = await someone(role.root)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  async function someone(ofRole: number, grants?: readonly Grant[]): Promise<SignedIn> {
    const { id } = await anAccount(world.ctx, { role: ofRole, password })
    if (grants) {
      const columns = { grants: grants.join(',') }
      await world.ctx.database.query.updateTable('users').set(columns).where('id', '=', id).execute()
    }
    return site.signIn(id)
  }

  async function send(as: SignedIn, method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const response = await site.send(method, path, { as, body, ...(headers && { headers }) })
    const { success, code, data } = (await response.json()) as { success: boolean; code?: string; data?: unknown }
    return { outcome: success ? 'done' : code, data }
  }
  const outcome = async (...args: Parameters<typeof send>) => (await send(...args)).outcome

  /** Gives them as the super admin does: with a proof of the password. */
  async function give(to: SignedIn, grants: readonly string[], by = root) {
    const { data } = await send(by, 'POST', '/api/user/step_up', { purpose: 'rights', password })
    const proof = (data as { proof: string }).proof
    return send(by, 'PUT', `/api/user/${to.userId}/grants`, { grants }, { 'Tollgate-Step-Up': proof })
  }
  const readGrants = async (as: SignedIn) =>
    userRoutes.UserEntity.parse((await send(as, 'GET', '/api/user/self')).data).grants
  const readStoredGrants = async ({ userId }: SignedIn) =>
    (
      await world.ctx.database.query
        .selectFrom('users')
        .select('grants')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
    ).grants

  once('grants are given with those they need, reported to the account at once, and audited', async () => {
    const ann = await someone(role.user)
    expect(await readGrants(ann)).toEqual([])
    expect((await give(ann, ['keys.write'])).outcome).toBe('done')
    expect(await readGrants(ann)).toEqual(['channels.read', 'channels.write', 'keys.write'])
    expect(await outcome(ann, 'GET', '/api/channel')).toBe('done')
    const query = { action: 'user.set_grants', user_id: root.userId }
    const [row] = (await site.client(root).call(auditRoutes.listAudit, { query })).items
    expect(row).toMatchObject({
      target: 'user',
      target_id: String(ann.userId),
      before: { grants: null },
      after: { grants: 'channels.read,channels.write,keys.write' },
    })
    expect((await give(ann, [])).outcome).toBe('done')
    expect(await outcome(ann, 'GET', '/api/channel')).toBe('auth.forbidden')
    expect(await readStoredGrants(ann)).toBeNull()
  })

  once('grants can be taken from an administrator, who follows the role once everything is given back', async () => {
    const admin = await someone(role.admin)
    expect(await readGrants(admin)).toEqual([...givableGrants])
    await give(admin, ['logs.read'])
    expect(await readGrants(admin)).toEqual(['logs.read'])
    expect(await outcome(admin, 'GET', '/api/user')).toBe('auth.forbidden')
    await give(admin, [])
    expect(await readStoredGrants(admin)).toBe('')
    expect(await readGrants(admin)).toEqual([])
    await give(admin, givableGrants)
    expect(await readStoredGrants(admin)).toBeNull()
  })

  once('grants are the super admin’s to give, with a proof, and cannot be taken from one', async () => {
    const [admin, ann] = [await someone(role.admin), await someone(role.user)]
    const path = `/api/user/${ann.userId}/grants`
    expect(await outcome(admin, 'PUT', path, { grants: ['logs.read'] })).toBe('auth.forbidden')
    expect(await outcome(root, 'PUT', path, { grants: ['logs.read'] })).toBe('auth.step_up')
    expect((await give(root, [])).outcome).toBe('root.grants')
    for (const reserved of ['rights.write', 'settings.secure', 'everything']) {
      expect((await give(ann, [reserved])).outcome).toBe('input.invalid')
    }
    expect(await readStoredGrants(ann)).toBeNull()
  })

  once('grants end with the role they were given in', async () => {
    const ann = await someone(role.user, areaPresets.support)
    const manage = (action: string) => outcome(root, 'POST', '/api/user/manage', { id: ann.userId, action })
    await manage('promote')
    expect(await readGrants(ann)).toEqual([...givableGrants])
    await give(ann, ['users.read'])
    await manage('demote')
    expect(await readStoredGrants(ann)).toBeNull()
    await give(ann, ['users.read'])
    expect(await outcome(root, 'PUT', '/api/user', { id: ann.userId, role: role.admin })).toBe('done')
    expect(await readStoredGrants(ann)).toBeNull()
  })

  once('grants for users apply to users without grants, and to no one else', async () => {
    const helper = await someone(role.user, areaPresets.support)
    const [ann, peer, admin] = [
      await someone(role.user),
      await someone(role.user, ['logs.read']),
      await someone(role.admin),
    ]
    const rename = (by: SignedIn, of: SignedIn) =>
      outcome(by, 'PUT', '/api/user', { id: of.userId, display_name: 'Renamed' })
    expect(await rename(helper, ann)).toBe('done')
    for (const target of [peer, admin, root]) expect(await rename(helper, target)).toBe('user.rank_edit')
    expect(await rename(admin, peer)).toBe('done')
    const limited = await someone(role.admin, ['users.read', 'users.write'])
    expect(await rename(limited, ann)).toBe('done')
    expect(await rename(limited, peer)).toBe('user.rank_edit')
    const read = async (by: SignedIn, of: SignedIn) => (await send(by, 'GET', `/api/user/${of.userId}`)).data
    expect(await read(helper, ann)).toMatchObject({ id: ann.userId, role: 1 })
    expect(Object.keys((await read(helper, peer)) as object)).toEqual(['id', 'username', 'display_name'])
    const rows = userRoutes.listUsers.data?.parse((await send(helper, 'GET', '/api/user?page_size=100')).data).items
    const whole = rows?.filter(userRoutes.isWhole).map(({ id }) => id)
    expect(whole).toContain(ann.userId)
    expect(whole).toContain(helper.userId)
    for (const { userId } of [peer, admin, root]) expect(whole).not.toContain(userId)
  })

  test('grants for messages and logs show users by their names', async () => {
    const ann = await someone(role.user)
    const names = ['id', 'username', 'display_name']
    const writer = await someone(role.user, ['messages.write'])
    const reader = await someone(role.user, ['logs.read'])
    const row = async (by: SignedIn) => (await send(by, 'GET', `/api/user/${ann.userId}`)).data as object
    expect(Object.keys(await row(writer))).toEqual(names)
    expect(Object.keys(await row(reader))).toEqual(names)
    const found = await send(writer, 'GET', `/api/user/search?keyword=${ann.userId}`)
    expect(userRoutes.searchUsers.data?.parse(found.data).items.find(({ id }) => id === ann.userId)).toEqual({
      id: ann.userId,
      username: expect.any(String),
      display_name: expect.any(String),
    })
  })

  once('grants for balances and for accounts are separate, in one call too', async () => {
    const ann = await someone(role.user)
    const [finance, keeper] = [
      await someone(role.user, ['users.read', 'balances.write']),
      await someone(role.user, ['users.read', 'users.write']),
    ]
    const put = (by: SignedIn, body: object) => outcome(by, 'PUT', '/api/user', { id: ann.userId, ...body })
    const manage = (by: SignedIn, body: object) => outcome(by, 'POST', '/api/user/manage', { id: ann.userId, ...body })
    const { data: read } = await send(finance, 'GET', `/api/user/${ann.userId}`)
    expect(await put(finance, read as object)).toBe('done')
    expect(await put(finance, { ...(read as object), quota: 50 })).toBe('done')
    expect(await put(finance, { quota: 100, display_name: 'Other' })).toBe('auth.forbidden')
    expect(await put(finance, { password: 'another password' })).toBe('auth.step_up')
    expect(await put(keeper, { display_name: 'Other' })).toBe('done')
    expect(await put(keeper, { quota: 100 })).toBe('auth.forbidden')
    expect(await manage(finance, { action: 'add_quota', value: 5 })).toBe('done')
    expect(await manage(finance, { action: 'disable' })).toBe('auth.forbidden')
    expect(await manage(keeper, { action: 'add_quota', value: 5 })).toBe('auth.forbidden')
    expect(await manage(keeper, { action: 'disable' })).toBe('done')
    expect((await world.ctx.ledger.balanceOf([ann.userId])).get(ann.userId)).toBe(55)
  })

  once('grants for channels without their keys do not allow entering, replacing or deleting keys', async () => {
    const [whole, keyless] = [
      await someone(role.user, areaPresets.channels),
      await someone(role.user, ['channels.read', 'channels.write']),
    ]
    const channel = { type: 1, name: 'one', key: 'sk-one,sk-two', models: 'gpt-4o', group: 'default' }
    expect(await outcome(keyless, 'POST', '/api/channel', channel)).toBe('auth.forbidden')
    const { data } = await send(whole, 'POST', '/api/channel', channel)
    const id = (data as { id: number }).id
    expect(await outcome(keyless, 'PUT', '/api/channel', { id, priority: 3, key: '' })).toBe('done')
    expect(await outcome(keyless, 'PUT', '/api/channel', { id, key: 'sk-three' })).toBe('auth.forbidden')
    const keys = (by: SignedIn, action: string) =>
      outcome(by, 'POST', '/api/channel/multi_key/manage', { channel_id: id, action, key_index: 0 })
    expect(await keys(keyless, 'disable_key')).toBe('done')
    expect(await keys(keyless, 'delete_key')).toBe('auth.forbidden')
    expect(await keys(whole, 'delete_disabled_keys')).toBe('done')
  })

  test('grants for the log show conversations only together with the one for that', async () => {
    const ann = await someone(role.user)
    const requestId = `said-${kind}`
    const row = { request_id: requestId, created_at: 1, type: 2, user_id: ann.userId, username: 'ann' }
    const rest = { token_id: 1, token_name: '', model_name: 'm', channel_id: 1, channel_name: '', group: '', other: '' }
    const figures = { is_stream: 0, use_time: 0, prompt_tokens: 0, completion_tokens: 0, quota: 0 }
    const { id } = await world.ctx.database.query
      .insertInto('logs')
      .values({ ...row, ...rest, ...figures, content: '', client_ip: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await world.ctx.database.query
      .insertInto('log_texts')
      .values({ request_id: requestId, created_at: 1, context: '', input: 'hello there', output: 'hi' })
      .execute()
    const readLog = async (by: SignedIn) => JSON.stringify((await send(by, 'GET', `/api/log/${id}`)).data)
    expect(await readLog(await someone(role.user, ['logs.read']))).not.toContain('hello there')
    expect(await readLog(await someone(role.user, ['logs.read', 'chat_content.read']))).toContain('hello there')
    expect(await readLog(await someone(role.admin))).toContain('hello there')
  })
})
