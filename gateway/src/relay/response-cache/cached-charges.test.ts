import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'

import { eachDatabase } from '../../../test/databases'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { aWindow } from '../../../test/windows'

for (const kind of eachDatabase) {
  describe(`responses from the cache and money (${kind})`, () => {
    let world: RelayWorld
    beforeAll(async () => {
      world = await createRelayWorld({ kind })
      await world.setOptions({ ResponseCacheEnabled: 'true', ResponseCachePriceFactor: '0.25' })
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const send = async (key: string, content: string) => {
      const response = await world.chat({ messages: [{ role: 'user', content }] }, { key })
      await response.text()
      return [response.status, response.headers.get('x-cache')]
    }

    test('simultaneous hits are each charged once, from the balances of user and key', async () => {
      const quota = 1_000_000
      const userId = await world.addUser(quota)
      const key = await world.addToken(userId, { response_cache: 'on', unlimited_quota: 0, remain_quota: quota })
      expect(await send(key, 'at once')).toEqual([200, 'miss'])
      const found = await Promise.all(Array.from({ length: 10 }, () => send(key, 'at once')))
      expect(found).toEqual(Array.from({ length: 10 }, () => [200, 'hit']))
      const rows = await world.chargesOf(userId, 11)
      expect(rows).toHaveLength(11)
      const cached = rows.filter(({ other }) => readLogDetails(other).cached_age !== undefined)
      const price = rows.find((row) => !cached.includes(row))?.quota ?? NaN
      expect(cached.map((row) => row.quota)).toEqual(Array.from({ length: 10 }, () => Math.round(price / 4)))
      const spent = rows.reduce((sum, row) => sum + row.quota, 0)
      expect(await world.balanceOf(userId)).toBe(quota - spent)
      const token = await world.ctx.database.query
        .selectFrom('tokens')
        .select('used_quota')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      expect(token.used_quota).toBe(spent)
      const rollups = await world.ctx.database.query
        .selectFrom('rollups')
        .selectAll()
        .where('user_id', '=', userId)
        .where('channel_id', '=', 0)
        .execute()
      const sumOf = (column: 'quota' | 'sold' | 'vendor_cost') => rollups.reduce((sum, row) => sum + row[column], 0)
      expect([sumOf('quota'), sumOf('sold'), sumOf('vendor_cost')]).toEqual([spent - price, spent - price, 0])
    })

    test('hits count in windows of requests and tokens, and are refused when these are used up', async () => {
      const userId = await world.addUser(1_000_000)
      await aWindow(world.ctx.database, userId, { limit_amount: 3 })
      const key = await world.addToken(userId, { response_cache: 'on' })
      const outcomes: unknown[] = []
      for (let call = 0; call < 4; call += 1) outcomes.push(await send(key, 'in a window'))
      expect(outcomes).toEqual([
        [200, 'miss'],
        [200, 'hit'],
        [200, 'hit'],
        [429, null],
      ])
    })
  })
}
