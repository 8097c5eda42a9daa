import { expect, test } from 'bun:test'

import { createClock } from '../../platform/time/clock'
import { onBothDatabases } from '../../../test/databases'
import { Changes, type Topic } from '../../platform/store/changes'
import { systemTimers } from '../../platform/time/timers'
import { createAccountCache, type AccountCache } from './account-cache'

onBothDatabases('the account cache', (world, once) => {
  let monotonic = 0
  const clock = createClock(
    () => 1_700_000_000_000,
    () => monotonic,
  )
  let count = 0

  const changes = () =>
    new Changes({
      database: world().database,
      clock,
      timers: systemTimers,
      onError: (error) => {
        throw error
      },
    })

  function aCache(capacity?: number) {
    const heard = changes()
    const cache = createAccountCache({
      database: world().database,
      changes: heard,
      clock,
      ...(capacity && { capacity }),
    })
    const announce = async (topic: Topic, refId: number) => {
      const { query } = world().database
      await query.transaction().execute((transaction) => heard.announce({ topic, refId }, transaction))
      await heard.deliver()
    }
    return { cache, announce }
  }

  async function aUser(setting = '{}') {
    const name = `user${++count}`
    const row = { username: name, username_key: name, password_hash: '', display_name: name, role: 1, status: 1 }
    const user = await world()
      .database.query.insertInto('users')
      .values({ ...row, aff_code: name, created_at: 1, setting })
      .returning('id')
      .executeTakeFirstOrThrow()
    return user.id
  }

  async function aToken(userId: number, overrides: Record<string, unknown> = {}) {
    const hash = `hash${++count}`
    const token = await world()
      .database.query.insertInto('tokens')
      .values({ user_id: userId, key_hash: hash, key_sealed: '', name: 'key', created_time: 1, ...overrides })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: token.id, hash }
  }

  test('the cache returns a key with its user, synchronously when known', async () => {
    const { cache } = aCache()
    const userId = await aUser('{"accept_unset_model_ratio_model":true,"show_ip_in_logs":"yes"}')
    const { id, hash } = await aToken(userId, {
      model_limits_enabled: 1,
      model_limits: 'gpt-4o, o3,',
      allow_ips: '10.0.0.0/8\n\n ::1 ',
      rate_limit_enabled: 1,
      group: 'vip',
    })
    const [key, sameRead] = await Promise.all([cache.byKeyHash(hash), cache.byKeyHash(hash)])
    expect(sameRead).toBe(key)
    expect(key).toEqual({
      id,
      name: 'key',
      status: 1,
      group: 'vip',
      expiresAt: -1,
      isUnlimited: false,
      models: new Set(['gpt-4o', 'o3']),
      allowedIps: ['10.0.0.0/8', '::1'],
      rateLimit: { periodSeconds: 60, count: 1000, success: 10 },
      responseCache: 'group',
      account: {
        id: userId,
        username: key?.account.username ?? '',
        rank: 1,
        mayPinChannel: false,
        status: 1,
        group: 'default',
        isDeleted: false,
        acceptsUnpricedModels: true,
        isIpLogged: false,
        plans: [],
        windows: [],
      },
      windows: [],
    })
    expect(await cache.byKeyHash(hash)).toBe(key)
  })

  once('a key is dropped when its token or its user changes, and nothing else is', async () => {
    const { cache, announce } = aCache()
    const [userId, otherId] = [await aUser(), await aUser()]
    const [one, two] = [await aToken(userId), await aToken(userId)]
    const other = await aToken(otherId)
    const readKnown = async () => [
      await isKnown(cache, one.hash),
      await isKnown(cache, two.hash),
      await isKnown(cache, other.hash),
    ]
    expect(await readKnown()).toEqual([false, false, false])
    expect(await readKnown()).toEqual([true, true, true])
    await announce('token', one.id)
    expect(await readKnown()).toEqual([false, true, true])
    await announce('user', userId)
    expect(await readKnown()).toEqual([false, false, true])
    await announce('catalog', 0)
    expect(await readKnown()).toEqual([true, true, true])
  })

  once('a revoked token and a banned user are known', async () => {
    const { cache, announce } = aCache()
    const userId = await aUser()
    const token = await aToken(userId)
    await cache.byKeyHash(token.hash)
    await cache.byUserId(userId)
    const { query } = world().database
    await query.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
    await announce('user', userId)
    expect((await cache.byKeyHash(token.hash))?.account.status).toBe(2)
    expect((await cache.byUserId(userId))?.status).toBe(2)
    await query.updateTable('tokens').set({ deleted_at: 5 }).where('id', '=', token.id).execute()
    await announce('token', token.id)
    expect(await cache.byKeyHash(token.hash)).toBeNull()
  })

  once('an unknown key is remembered until its time is over or a token is created', async () => {
    const { cache, announce } = aCache()
    expect(await cache.byKeyHash('unknown')).toBeNull()
    expect(cache.keyInMemory('unknown')).toBeNull()
    monotonic += 5001
    expect(await isKnown(cache, 'unknown')).toBe(false)
    await announce('token', 1)
    expect(await isKnown(cache, 'unknown')).toBe(false)
    expect(await isKnown(cache, 'unknown')).toBe(true)
    expect(await cache.byUserId(1_000_000)).toBeNull()
  })

  once('a read during which a change arrived is not cached', async () => {
    const { cache, announce } = aCache()
    const token = await aToken(await aUser())
    const reading = cache.byKeyHash(token.hash)
    await announce('token', token.id)
    expect(await reading).not.toBeNull()
    const again = cache.byKeyHash(token.hash)
    expect((await again)?.id).toBe(token.id)
  })

  once('the cache stays within its capacity', async () => {
    const { cache, announce } = aCache(2)
    const userId = await aUser()
    const [one, two, three] = [await aToken(userId), await aToken(userId), await aToken(userId)]
    for (const { hash } of [one, two, three]) await cache.byKeyHash(hash)
    expect(await isKnown(cache, three.hash)).toBe(true)
    expect(await isKnown(cache, two.hash)).toBe(true)
    expect(await isKnown(cache, one.hash)).toBe(false)
    await announce('user', userId)
    expect(await isKnown(cache, two.hash)).toBe(false)
  })
})

/** Resolves with whether the cache had the key in memory. Reads it in any case. */
async function isKnown(cache: AccountCache, keyHash: string): Promise<boolean> {
  const known = cache.keyInMemory(keyHash)
  await cache.byKeyHash(keyHash)
  return known !== undefined
}
