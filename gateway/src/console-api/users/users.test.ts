import { describe, expect, test } from 'bun:test'

import { parsePhrase, userRoutes } from '@tollgate/contract'

import { aUser, refusalOf } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { eventually } from '../../../test/eventually'
import { spend } from '../../../test/spend'
import { usersWorld } from '../../../test/users-world'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = () => usersWorld(kind)

  describe(`user administration (${kind})`, () => {
    once('a user is created with a trimmed, unique name, and gets the initial quota once', async () => {
      await using world = await start()
      const { admin, root, ask } = world
      await world.ctx.database.query.insertInto('options').values({ key: 'QuotaForNewUser', value: '70' }).execute()
      await world.ctx.catalog.rebuild()
      const create = (caller: typeof root, body: object) =>
        ask(caller, 'POST /api/user', { body: { password: 'long enough', ...body } })
      expect(await create(admin, { username: '  bob ' })).toMatchObject({
        username: 'bob',
        display_name: 'bob',
        quota: 70,
        role: 1,
      })
      expect(await refusalOf(create(admin, { username: 'BOB' }))).toBe('user.exists')
      expect(await refusalOf(create(admin, { username: 'a@b' }))).toBe('user.username')
      expect(await refusalOf(create(admin, { username: ' ' }))).toBe('user.username')
      expect(await refusalOf(create(admin, { username: '额'.repeat(21) }))).toBe('user.username')
      expect(await create(admin, { username: '额'.repeat(20) })).toMatchObject({ role: 1 })
      expect(await refusalOf(create(admin, { username: 'c', password: 'short' }))).toBe('user.password')
      expect(await refusalOf(create(admin, { username: 'c', password: 'x'.repeat(65) }))).toBe('user.password')
      expect(await refusalOf(create(admin, { username: 'c', role: 10 }))).toBe('user.rank_create')
      expect(await create(root, { username: 'c', role: 10 })).toMatchObject({ role: 10 })
      const { password_hash: hash } = await world.ctx.database.query
        .selectFrom('users')
        .select('password_hash')
        .where('username', '=', 'bob')
        .executeTakeFirstOrThrow()
      expect(hash).toStartWith('$argon2id$')
    })

    once('an edit changes what it names and nothing else', async () => {
      await using world = await start()
      const { admin, ann, ask, ctx } = world
      const readStored = () =>
        ctx.database.query.selectFrom('users').selectAll().where('id', '=', ann.id).executeTakeFirstOrThrow()
      const edit = (body: object) => ask(admin, 'PUT /api/user', { body: { id: ann.id, ...body } })
      const before = await readStored()
      await edit({})
      expect(await readStored()).toEqual(before)
      await edit({ display_name: 'Anna' })
      const renamed = { ...before, display_name: 'Anna', search_text: 'ann\u001f\u001fanna' }
      expect(await readStored()).toEqual(renamed)
      await edit({ group: 'vip', password: '' })
      expect(await readStored()).toEqual({ ...renamed, group: 'vip' })
      await edit({ username: 'ANN' })
      expect(await readStored()).toMatchObject({ username: 'ANN', username_key: 'ann' })
      expect(await refusalOf(edit({ username: 'Admin' }))).toBe('user.exists')
      expect(await refusalOf(edit({ group: 'nowhere' }))).toBe('user.group')
      expect(await refusalOf(edit({ quota: -1e15 - 1 }))).toBe('user.quota')
      expect(await refusalOf(edit({ quota: 1e15 + 1 }))).toBe('user.quota')
      expect(await refusalOf(edit({ role: 10 }))).toBe('user.rank_raise')
    })

    once('a quota is set by a change of the balance, once, with a row in the log', async () => {
      await using world = await start()
      const { admin, root, ann, ask, ctx } = world
      const edited = await ask(admin, 'PUT /api/user', { body: { id: ann.id, quota: 700 } })
      expect(edited).toMatchObject({ quota: 700, group: 'default', username: 'Ann' })
      await ask(admin, 'PUT /api/user', { body: { id: ann.id, quota: 700 } })
      const manage = (body: object) =>
        ask(root, 'POST /api/user/manage', { body: { id: ann.id, action: 'add_quota', ...body } })
      await manage({ value: 50, reason: 'a gift' })
      await manage({ value: 25, mode: 'subtract' })
      expect((await ctx.ledger.balanceOf([ann.id])).get(ann.id)).toBe(725)
      await manage({ value: 10, mode: 'override' })
      expect((await ctx.ledger.balanceOf([ann.id])).get(ann.id)).toBe(10)
      expect(await refusalOf(manage({}))).toBe('user.quota')
      expect(await refusalOf(manage({ value: 1e15 + 1 }))).toBe('user.quota')
      const credits = await ctx.database.query
        .selectFrom('credits')
        .select('amount')
        .where('user_id', '=', ann.id)
        .where('kind', '=', 'admin')
        .execute()
      expect(credits.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([-715, -25, 50, 200])
      const contents = await eventually(async () => {
        const rows = await ctx.database.query.selectFrom('logs').select('content').orderBy('id').execute()
        return rows.length === 4 ? rows.map(({ content }) => parsePhrase(content)) : null
      })
      expect(contents.map((phrase) => [phrase?.code, phrase?.params?.['reason']])).toEqual([
        ['log.quota_changed', undefined],
        ['log.quota_changed_for', 'a gift'],
        ['log.quota_changed', undefined],
        ['log.quota_changed', undefined],
      ])
    })

    once('a balance may be set or changed below zero by each of the three edits', async () => {
      await using world = await start()
      const { admin, root, ann, ask } = world
      const { quota, quota_read } = userRoutes.UserEntity.parse(
        await ask(admin, 'GET /api/user/{id}', { params: { id: String(ann.id) } }),
      )
      const put = (body: object) => ask(admin, 'PUT /api/user', { body: { id: ann.id, ...body } })
      expect(await put({ quota: quota - 600, quota_read })).toMatchObject({ quota: quota - 600 })
      expect(await put({ quota: -7 })).toMatchObject({ quota: -7 })
      const manage = { id: ann.id, action: 'add_quota' }
      await ask(root, 'POST /api/user/manage', { body: { ...manage, value: 3, mode: 'subtract' } })
      await ask(root, 'POST /api/user/manage', { body: { ...manage, value: -5 } })
      expect((await world.ctx.ledger.balanceOf([ann.id])).get(ann.id)).toBe(-15)
      await ask(root, 'POST /api/user/manage', { body: { ...manage, value: -2, mode: 'override' } })
      expect((await world.ctx.ledger.balanceOf([ann.id])).get(ann.id)).toBe(-2)
    })

    once('a row that was read before calls were charged restores none of what they cost', async () => {
      await using world = await start()
      const { admin, ann, ask, ctx } = world
      const read = userRoutes.UserEntity.parse(
        await ask(admin, 'GET /api/user/{id}', { params: { id: String(ann.id) } }),
      )
      await spend(ctx, { userId: ann.id, tokenId: 0, isTokenLimited: false }, 200)
      await ctx.ledger.credit({ id: 'top-up', userId: ann.id, kind: 'top-up', amount: 1000 })
      const put = (body: object) => ask(admin, 'PUT /api/user', { body: { ...read, ...body } })
      expect(await put({ display_name: 'Anna' })).toMatchObject({ display_name: 'Anna', quota: 1300 })
      expect(await put({ quota: 600 })).toMatchObject({ quota: 1400 })
      expect(await put({ quota: 0 })).toMatchObject({ quota: 900 })
      expect(await ask(admin, 'PUT /api/user', { body: { id: ann.id, quota: 10 } })).toMatchObject({ quota: 10 })
      await ctx.ledger.credit({ id: 'refund', userId: ann.id, kind: 'refund', amount: -110 })
      expect(await put({ quota_read: -100, quota: -60 })).toMatchObject({ quota: -60 })
      expect(await put({ quota_read: -60, quota: -61 })).toMatchObject({ quota: -61 })
    })

    once('a reduced quota refuses the next call, whatever was leased', async () => {
      await using world = await start()
      const { admin, ann, ask, ctx } = world
      const payer = { userId: ann.id, tokenId: 0, isTokenLimited: false }
      const next = () => Promise.resolve(ctx.ledger.reserve('next', payer, 1)).catch(String)
      await spend(ctx, payer, 10)
      await ask(admin, 'PUT /api/user', { body: { id: ann.id, quota: 0 } })
      expect(await next()).toContain('quota.user')
      const manage = (body: object) =>
        ask(admin, 'POST /api/user/manage', { body: { id: ann.id, action: 'add_quota', ...body } })
      await manage({ value: 1000 })
      await spend(ctx, payer, 10)
      await manage({ value: 990, mode: 'subtract' })
      expect(await next()).toContain('quota.user')
    })

    test('actions leave rows in the user’s log, with the administrator in the part users never see', async () => {
      await using world = await start()
      const { root, ann, ask, ctx } = world
      for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
        await ask(root, 'POST /api/user/manage', { body: { id: ann.id, action } })
      }
      const bob = await aUser(ctx, { username: 'bob' })
      await ask(root, 'DELETE /api/user/{id}', { params: { id: String(bob.id) } })
      const rows = await eventually(async () => {
        const found = await ctx.database.query.selectFrom('logs').selectAll().orderBy('id').execute()
        return found.length === 6 ? found : null
      })
      expect(rows.map(({ type, username, content }) => [type, username, parsePhrase(content)?.code])).toEqual([
        [3, 'Ann', 'log.user_promoted'],
        [3, 'Ann', 'log.user_demoted'],
        [3, 'Ann', 'log.user_disabled'],
        [3, 'Ann', 'log.user_enabled'],
        [3, 'Ann', 'log.user_closed'],
        [3, 'bob', 'log.user_closed'],
      ])
      expect(JSON.parse(rows[0]?.other ?? '')).toMatchObject({
        action: 'promote',
        admin_info: { admin_username: 'root' },
      })
    })

    once('actions return the new state, and those that take something away end every access', async () => {
      await using world = await start()
      const { root, ann, ask, ctx } = world
      const manage = (action: string) => ask(root, 'POST /api/user/manage', { body: { id: ann.id, action } })
      const countCredentials = async () => {
        const sessions = await ctx.database.query
          .selectFrom('sessions')
          .select('id_hash')
          .where('user_id', '=', ann.id)
          .execute()
        const user = await ctx.database.query
          .selectFrom('users')
          .select('access_token_hash')
          .where('id', '=', ann.id)
          .executeTakeFirstOrThrow()
        return sessions.length + (user.access_token_hash === null ? 0 : 1)
      }
      const signIn = async (name: string) => {
        await ctx.database.query
          .insertInto('sessions')
          .values({
            id_hash: name,
            user_id: ann.id,
            created_at: 1,
            last_seen_at: 1,
            expires_at: 2,
            ip: '',
            user_agent: '',
          })
          .execute()
        await ctx.database.query
          .updateTable('users')
          .set({ access_token_hash: name })
          .where('id', '=', ann.id)
          .execute()
      }
      await signIn('a')
      expect(await manage('promote')).toEqual({ status: 1, role: 10 })
      expect(await countCredentials()).toBe(2)
      expect(await manage('demote')).toEqual({ status: 1, role: 1 })
      expect(await countCredentials()).toBe(0)
      await signIn('b')
      expect(await manage('disable')).toEqual({ status: 2, role: 1 })
      expect(await countCredentials()).toBe(0)
      expect(await manage('enable')).toEqual({ status: 1, role: 1 })
      await signIn('c')
      await ask(root, 'PUT /api/user', { body: { id: ann.id, password: 'another password' } })
      expect(await countCredentials()).toBe(0)
      await signIn('d')
      expect(await manage('delete')).toEqual({ status: 1, role: 1 })
      expect(await countCredentials()).toBe(0)
      expect(await refusalOf(manage('enable'))).toBe('user.deregistered')
      expect(await refusalOf(manage('vanish'))).toBe('user.action')
      expect(await refusalOf(ask(root, 'POST /api/user/manage', { body: { id: 999_999, action: 'enable' } }))).toBe(
        'user.none',
      )
    })

    once('the super admin keeps the role, whichever way it is attempted', async () => {
      await using world = await start()
      const { root, admin, ask } = world
      const manage = (action: string) =>
        refusalOf(ask(root, 'POST /api/user/manage', { body: { id: root.id, action } }))
      expect(await manage('demote')).toBe('root.demote')
      expect(await manage('disable')).toBe('root.disable')
      expect(await manage('delete')).toBe('root.delete')
      expect(await refusalOf(ask(root, 'PUT /api/user', { body: { id: root.id, role: 1 } }))).toBe('root.demote')
      const remove = (caller: typeof root) =>
        refusalOf(ask(caller, 'DELETE /api/user/{id}', { params: { id: String(root.id) } }))
      expect(await remove(root)).toBe('root.delete')
      expect(await remove(admin)).toBe('user.rank_delete')
    })

    test('no response carries a secret', async () => {
      await using world = await start()
      const { root, ann, ask } = world
      const setting = JSON.stringify({ webhook_url: 'https://hooks.example/services/canary', webhook_secret: 'canary' })
      await world.ctx.database.query.updateTable('users').set({ setting }).where('id', '=', ann.id).execute()
      const responses = await Promise.all([
        ask(root, 'GET /api/user'),
        ask(root, 'GET /api/user/search', { query: { keyword: 'ann' } }),
        ask(root, 'GET /api/user/{id}', { params: { id: String(ann.id) } }),
        ask(root, 'PUT /api/user', { body: { id: ann.id, password: 'canary-password' } }),
        ask(root, 'POST /api/user', { body: { username: 'new', password: 'canary-password' } }),
        ask(root, 'POST /api/user/manage', { body: { id: ann.id, action: 'disable' } }),
      ])
      expect(JSON.stringify(responses)).not.toMatch(/canary|argon2|password|access_token|webhook_secret/)
      expect(JSON.stringify(responses)).toContain('https://hooks.example/******')
    })
  })
}
