import { describe, expect, test } from 'bun:test'

import { channelRoutes, listOf } from '@tollgate/contract'

import { createChannelWorld } from '../../../test/channel-world'
import { kinds, onceOf } from '../../../test/kinds'

const hour = 3600
const Listed = listOf(channelRoutes.ChannelEntity)

describe.each(kinds)('the order of channels (%s)', (kind) => {
  const once = onceOf(kind)

  async function someChannels() {
    const world = await createChannelWorld(kind)
    const a = await world.aChannel({ name: 'b10', priority: 5, tag: 'eu' })
    const b = await world.aChannel({ name: 'B2', priority: 9, weight: 3 })
    const c = await world.aChannel({ name: 'a', priority: 5, weight: 7, tag: 'eu' })
    const present = Math.floor(world.ctx.clock.seconds() / hour) * hour
    const row = { user_id: 1, token_name: 't', model_name: 'm', group: 'g', prompt_tokens: 1, completion_tokens: 1 }
    await world.ctx.database.query
      .insertInto('rollups')
      .values([
        { ...row, use_time: 1, hour: present, channel_id: a.id, count: 10, errors: 0, quota: 500 },
        { ...row, use_time: 1, hour: present - hour, channel_id: c.id, count: 2, errors: 2, quota: 900 },
        { ...row, use_time: 1, hour: present - 40 * hour, channel_id: b.id, count: 99, errors: 99, quota: 9999 },
      ])
      .execute()
    const names = async (query: string) => {
      const { items, total } = Listed.parse((await world.ask('GET', `/api/channel/?${query}`)).data)
      return { names: items.map(({ name }) => name), total }
    }
    return { world, names }
  }

  once(
    'the order follows any column, ascending or descending; equal channels are in descending order of id',
    async () => {
      const { world, names } = await someChannels()
      await using _ = world
      const sorted = async (query: string) => (await names(query)).names
      expect(await sorted('sort=name')).toEqual(['a', 'B2', 'b10'])
      expect(await sorted('sort=name&descending=true')).toEqual(['b10', 'B2', 'a'])
      expect(await sorted('sort=priority')).toEqual(['a', 'b10', 'B2'])
      expect(await sorted('sort=weight&descending=true')).toEqual(['a', 'B2', 'b10'])
      expect(await sorted('sort=id&id_sort=true')).toEqual(['b10', 'B2', 'a'])
      expect((await world.ask('GET', '/api/channel/?sort=key_sealed')).status).toBe(400)
    },
  )

  once('the order of balances compares yuan and dollars by their value', async () => {
    const { world, names } = await someChannels()
    await using _ = world
    const has = (name: string, balance: number, balance_currency: string) =>
      world.ctx.database.query
        .updateTable('channels')
        .set({ balance, balance_currency })
        .where('name', '=', name)
        .execute()
    await has('a', 50, 'CNY')
    await has('B2', 10, 'USD')
    await has('b10', 8, '')
    expect((await names('sort=balance')).names).toEqual(['a', 'b10', 'B2'])
  })

  test('the order follows spend, calls and failure rate of the last 24 hours', async () => {
    const { world, names } = await someChannels()
    await using _ = world
    const sorted = async (query: string) => (await names(`${query}&descending=true`)).names
    expect(await sorted('sort=spend')).toEqual(['a', 'b10', 'B2'])
    expect(await sorted('sort=calls')).toEqual(['b10', 'a', 'B2'])
    expect(await sorted('sort=failures')).toEqual(['a', 'b10', 'B2'])
  })

  once('the channel whose id or whole name is searched for comes first', async () => {
    const { world } = await someChannels()
    await using _ = world
    await world.aChannel({ name: 'top', priority: 99, base_url: 'https://b2.example' })
    const first = await world.aChannel({ name: 'b2b' })
    const findNames = async (keyword: string) => {
      const { data } = await world.ask('GET', `/api/channel/search?keyword=${keyword}&p=1`)
      return Listed.parse(data).items.map(({ name }) => name)
    }
    expect(await findNames('b2')).toEqual(['B2', 'top', 'b2b'])
    await world.aChannel({ name: `x${first.id}`, priority: 50 })
    expect((await findNames(String(first.id)))[0]).toBe('b2b')
  })

  once('the order holds across pages and searches, and a tag is listed with its first channel', async () => {
    const { world, names } = await someChannels()
    await using _ = world
    expect(await names('sort=name&page_size=2&p=1')).toEqual({ names: ['a', 'B2'], total: 3 })
    expect(await names('sort=name&page_size=2&p=2')).toEqual({ names: ['b10'], total: 3 })
    expect(await names('sort=name&tag_mode=true&page_size=1&p=1')).toEqual({ names: ['a', 'b10'], total: 2 })
    const found = await world.ask('GET', '/api/channel/search?keyword=b&sort=name&p=1')
    expect(Listed.parse(found.data).items.map(({ name }) => name)).toEqual(['B2', 'b10'])
  })
})
