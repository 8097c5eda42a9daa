import { describe, expect, test } from 'bun:test'

import { userRoutes } from '@tollgate/contract'

import { aUser, refusalOf } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { usersWorld } from '../../../test/users-world'

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = () => usersWorld(kind)

  describe(`lists of users (${kind})`, () => {
    test('users are listed and found, also by what is only visible for lower ranks', async () => {
      await using world = await start()
      const { root, admin, ann, list } = world
      await aUser(world.ctx, { username: 'x%y_z', group: 'vip' })
      expect(await list(root, {})).toEqual(['x%y_z', 'Ann', 'admin', 'root'])
      expect(await list(admin, {})).toEqual(['x%y_z', 'Ann', 'admin', 'root'])
      for (const { id, username } of [root, admin, ann]) {
        const email = `${username}@mail.example`
        await world.ctx.database.query.updateTable('users').set({ email }).where('id', '=', id).execute()
      }
      expect(await list(root, { keyword: 'mail.example' })).toEqual(['Ann', 'admin', 'root'])
      expect(await list(admin, { keyword: 'mail.example' })).toEqual(['Ann', 'admin'])
      expect(await list(admin, { keyword: 'roo' })).toEqual(['root'])
      expect(await list(admin, { group: 'default' })).toEqual(['Ann', 'admin'])
      await world.ctx.database.query.updateTable('users').set({ deleted_at: 1 }).where('role', '>', 1).execute()
      expect(await list(admin, {})).toEqual(['x%y_z', 'Ann', 'admin'])
      await world.ctx.database.query.updateTable('users').set({ deleted_at: null }).execute()
      expect(await list(root, { keyword: 'aNN' })).toEqual(['Ann'])
      expect(await list(root, { keyword: '%' })).toEqual(['x%y_z'])
      expect(await list(root, { keyword: '_' })).toEqual(['x%y_z'])
      expect(await list(root, { keyword: '\\' })).toEqual([])
      expect(await list(root, { keyword: String(ann.id) })).toEqual(['Ann'])
      expect(await list(root, { group: 'vip' })).toEqual(['x%y_z'])
      expect(await list(root, { p: '2', page_size: '3' })).toEqual(['root'])
    })

    once('users are found by their current name, display name and mail address, each by itself', async () => {
      await using world = await start()
      const { root, ann, ask, list } = world
      const { query } = world.ctx.database
      await ask(root, 'PUT /api/user', { body: { id: ann.id, username: 'Berta', display_name: 'The Baker' } })
      await query.updateTable('users').set({ email: 'Bread@Example.com' }).where('id', '=', ann.id).execute()
      expect(await list(root, { keyword: 'ann' })).toEqual([])
      for (const keyword of ['berta', 'THE BAKER', 'bread@EXAMPLE'])
        expect(await list(root, { keyword })).toEqual(['Berta'])
      for (const keyword of ['bertabread', 'comthe', 'berta\u001fbread'])
        expect(await list(root, { keyword })).toEqual([])
      await query.updateTable('users').set({ email: null }).where('id', '=', ann.id).execute()
      expect(await list(root, { keyword: 'bread' })).toEqual([])
    })

    once('a list has the number of users on all pages, also on an empty page', async () => {
      await using world = await start()
      const total = async (query: Record<string, string>) => {
        const page = await world.ask(world.root, 'GET /api/user/search', { query })
        return userRoutes.searchUsers.data?.parse(page).total
      }
      expect(await total({ keyword: 'nobody' })).toBe(0)
      expect(await total({ keyword: 'n', page_size: '1' })).toBe(2)
      expect(await total({ keyword: 'n', page_size: '1', p: '9' })).toBe(2)
      expect(await total({ group: 'gone' })).toBe(0)
    })

    once('one user can be read, or the reason why not', async () => {
      await using world = await start()
      const { root, admin, ann, ask } = world
      const one = (caller: typeof root, id: number) => ask(caller, 'GET /api/user/{id}', { params: { id: String(id) } })
      expect(await one(admin, ann.id)).toMatchObject({ username: 'Ann', quota: 500, DeletedAt: null, email: '' })
      expect(await one(admin, root.id)).toEqual({ id: root.id, username: 'root', display_name: 'root' })
      expect(await one(admin, admin.id)).toMatchObject({ username: 'admin', role: 10 })
      expect(await refusalOf(one(root, 999_999))).toBe('user.none')
      await ask(admin, 'DELETE /api/user/{id}', { params: { id: String(ann.id) } })
      expect(await refusalOf(one(root, ann.id))).toBe('user.none')
    })
  })
}
