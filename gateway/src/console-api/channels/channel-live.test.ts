import { describe, expect, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'

import { createChannelWorld } from '../../../test/channel-world'
import { kinds, onceOf } from '../../../test/kinds'
import { BatchWriter } from '../../billing/ledger/charge/measure-batch'

const hour = 3600

describe.each(kinds)('live state and traffic of channels (%s)', (kind) => {
  const once = onceOf(kind)

  const live = async (world: Awaited<ReturnType<typeof createChannelWorld>>, ids: number[]) =>
    channelRoutes.LiveChannels.parse((await world.ask('GET', `/api/channel/live?ids=${ids.join(',')}`)).data)
  const traffic = async (world: Awaited<ReturnType<typeof createChannelWorld>>, ids: number[]) =>
    channelRoutes.TrafficData.parse((await world.ask('GET', `/api/channel/traffic?ids=${ids.join(',')}`)).data)

  once('a channel without calls is steady', async () => {
    await using world = await createChannelWorld(kind)
    const { id } = await world.aChannel()
    expect(await live(world, [id, 999])).toEqual({
      workers: 1,
      channels: [
        {
          id,
          in_flight: 0,
          waiting: 0,
          limit: 0,
          state: 'steady',
          seconds_left: 0,
          models: [],
          keys: [],
          last_failure: null,
        },
      ],
    })
  })

  once(
    'live state has calls in flight, an open breaker, a key in cooldown and the last failure, but no key',
    async () => {
      await using world = await createChannelWorld(kind)
      const { id, keys } = await world.aChannel({ setting: '{"max_concurrency":4}' })
      const { health, catalog } = world.ctx
      const channel = catalog.current.channels.get(id)
      const [key] = channel?.keys ?? []
      const [shown] = keys
      if (!channel || !key || !shown) throw new Error('No channel')
      await health.slots.enter(channel, { signal: new AbortController().signal, deadline: 1e12 })
      for (let turn = 0; turn < 5; turn += 1)
        health.begin({ channel, key, model: 'gpt-4o' }).recordFailure({ scope: 'channel', weight: 1, tookMs: 0 })
      health.coolDown(`${id}:${key.fingerprint}`, 60)
      const failure = { at: 1_700_000_000, status: 500, fault: 'refused', message: 'it broke', model: 'gpt-4o' }
      health.failures.note(id, `${id}:${key.fingerprint}`, failure)
      const [found] = (await live(world, [id])).channels
      expect(found).toMatchObject({
        in_flight: 1,
        limit: 4,
        state: 'open',
        models: [{ name: 'gpt-4o', state: 'open' }],
        keys: [{ fingerprint: shown.fingerprint, state: 'resting', last_failure: failure }],
        last_failure: failure,
      })
      expect(found?.keys[0]?.seconds_left).toBeWithin(1, 61)
    },
  )

  test('hourly traffic comes from rollups and from rows that are not rolled up yet', async () => {
    await using world = await createChannelWorld(kind)
    const { ctx } = world
    const [one, other] = [await world.aChannel(), await world.aChannel()]
    const present = Math.floor(ctx.clock.seconds() / hour) * hour
    const figures = { quota: 50, prompt_tokens: 1, completion_tokens: 1, use_time: 1 }
    const row = { user_id: 1, model_name: 'm', group: 'default', ...figures }
    await ctx.database.query
      .insertInto('rollups')
      .values([
        { ...row, hour: present, token_name: 'a', channel_id: one.id, count: 3, errors: 1 },
        { ...row, hour: present, token_name: 'b', channel_id: one.id, count: 2, errors: 0 },
        { ...row, hour: present - 2 * hour, token_name: 'a', channel_id: one.id, count: 900, errors: 0 },
        { ...row, hour: present - 30 * hour, token_name: 'a', channel_id: one.id, count: 900, errors: 0 },
        { ...row, hour: present, token_name: 'a', channel_id: 777, count: 900, errors: 0 },
      ])
      .execute()
    await ctx.database.query
      .insertInto('hourly_sums')
      .values([
        { dimension: 4, start: present - 2 * hour, key: String(one.id), count: 7, errors: 4, ...figures },
        { dimension: 4, start: present - 40 * hour, key: String(one.id), count: 7, errors: 4, ...figures },
      ])
      .execute()
    await ctx.database.query
      .updateTable('sum_progress')
      .set({ until: present - hour })
      .where('dimension', '=', 4)
      .execute()
    const batch = new BatchWriter()
    const origin = { userId: 1, tokenName: 'a', modelName: 'm', group: 'default' }
    const tokens = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, cacheSaved: 0 }
    for (const [channelId, createdAt, wholeMs, firstTokenMs] of [
      [one.id, present, 400, 100],
      [one.id, present - hour, 400, null],
      [one.id, present, 400, 100],
      [one.id, present, 9000, 100],
      [one.id, present - 40 * hour, 60_000, 60_000],
      [777, present, 60_000, 60_000],
    ] as const)
      batch.call({ ...origin, channelId, createdAt }, { ...tokens, wholeMs, firstTokenMs })
    await ctx.database.query
      .insertInto('measure_batches')
      .values({ hour: batch.hour, records: batch.bytes() })
      .execute()
    const found = await traffic(world, [one.id, other.id])
    expect(found.times).toHaveLength(24)
    expect(found.times.at(-1)).toBe(present)
    const [busy, quiet] = found.channels
    expect(busy).toMatchObject({ id: one.id, count: 12, errors: 5, quota: 150 })
    expect(busy?.p50_ms).toBeWithin(375, 426)
    expect(busy?.p95_ms).toBeWithin(8400, 9600)
    expect(busy?.first_token_p50_ms).toBeWithin(93, 107)
    expect(busy?.hours.slice(-3)).toEqual([{ count: 7, errors: 4 }, null, { count: 5, errors: 1 }])
    expect(busy?.hours.slice(0, -3).every((cell) => cell === null)).toBe(true)
    expect(quiet).toMatchObject({ id: other.id, count: 0, errors: 0, quota: 0, p50_ms: null })
    expect(found.nodes).toBe(1)
  })

  once('users are refused, and so is a malformed list of ids', async () => {
    await using world = await createChannelWorld(kind)
    for (const path of ['live', 'traffic']) {
      expect((await world.ask('GET', `/api/channel/${path}?ids=1`, undefined, world.user)).status).toBe(403)
      expect((await world.ask('GET', `/api/channel/${path}?ids=1,x`)).status).toBe(400)
    }
  })
})
