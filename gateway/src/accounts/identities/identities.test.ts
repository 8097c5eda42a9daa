import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { anAccount } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { claimIdentity, identityColumns, identityOwner, type Identity } from './identities'

describe.each(kinds)('accounts at other providers (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  beforeAll(async () => {
    world = await createWorld({ kind })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const query = () => world.ctx.database.query
  const claim = (userId: number, identity: Identity) =>
    query()
      .transaction()
      .execute((transaction) => claimIdentity(identity, { userId, createdAt: 1 }, transaction))

  test('an identity belongs to one user, even if many claim it at once', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => anAccount(world.ctx)))
    const identity = { provider: 'github', subject: '42' } as const
    const claims = await Promise.all(users.map(({ id }) => claim(id, identity)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    const owner = users[claims.indexOf(true)]
    expect(await identityOwner(query(), identity)).toMatchObject({ id: owner?.id ?? 0, deleted_at: null })
    expect(await identityOwner(query(), { ...identity, provider: 'oidc' })).toBeUndefined()
  })

  once('a user has one identity per provider, in the wire’s members', async () => {
    const { id } = await anAccount(world.ctx)
    expect(await claim(id, { provider: 'telegram', subject: '7' })).toBe(true)
    expect(await claim(id, { provider: 'telegram', subject: '8' })).toBe(false)
    expect(await claim(id, { provider: 'linuxdo', subject: '7' })).toBe(true)
    const columns = await identityColumns(query(), [id])
    expect(columns(id)).toEqual({ github_id: '', oidc_id: '', wechat_id: '', telegram_id: '7', linux_do_id: '7' })
  })

  once('an identity stays with a deregistered account', async () => {
    const [closed, other] = [await anAccount(world.ctx), await anAccount(world.ctx)]
    await claim(closed.id, { provider: 'wechat', subject: 'open-id' })
    await query().updateTable('users').set({ deleted_at: 1 }).where('id', '=', closed.id).execute()
    expect(await claim(other.id, { provider: 'wechat', subject: 'open-id' })).toBe(false)
    expect(await identityOwner(query(), { provider: 'wechat', subject: 'open-id' })).toMatchObject({ deleted_at: 1 })
  })

  once('an identity without an id cannot be claimed', async () => {
    const { id } = await anAccount(world.ctx)
    const refusal = await claim(id, { provider: 'oidc', subject: ' ' }).catch(String)
    expect(refusal).toContain('without an id')
  })
})
