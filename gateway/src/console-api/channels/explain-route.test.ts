import { describe, expect, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'

import { createChannelWorld } from '../../../test/channel-world'
import { anAccount } from '../../../test/console-client'
import { FakeTime } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { lockPrices, storePrices } from '../../billing/pricing/price-store'
import { aPeriod, aWindow } from '../../../test/windows'
import { disableChannel } from '../../channels/channel-status'

type World = Awaited<ReturnType<typeof createChannelWorld>>

const explain = async (world: World, query: string) =>
  channelRoutes.RouteExplanation.parse((await world.ask('GET', `/api/channel/route?model=gpt-4o${query}`)).data)

/** Returns the reason codes by the name of the channel. */
const codes = (channels: readonly (channelRoutes.RouteCandidate | channelRoutes.ExcludedChannel)[]) =>
  Object.fromEntries(channels.map(({ name, reasons }) => [name, reasons.map(({ code }) => code)]))

describe.each(kinds)('the explanation of a route (%s)', (kind) => {
  const once = onceOf(kind)

  test('the explanation lists tiers in order with shares, and every other channel with its reasons', async () => {
    await using world = await createChannelWorld(kind)
    await world.aChannel({ name: 'first', priority: 5, weight: 10 })
    await world.aChannel({ name: 'second', priority: 5, weight: 50, model_mapping: '{"gpt-4o":"o-prime"}' })
    await world.aChannel({ name: 'last', priority: -1 })
    await world.aChannel({ name: 'vip', group: 'vip' })
    await world.aChannel({ name: 'small', models: 'o3' })
    await world.aChannel({ name: 'prefixed', model_prefix: 'eu/' })
    const off = await world.aChannel({ name: 'off' })
    await world.ask('PUT', '/api/channel/', { id: off.id, status: 2 })
    const broken = await world.aChannel({ name: 'broken' })
    await disableChannel(world.ctx, broken.id, { reason: 'it spoke nonsense' })

    const { group, caller, tiers, others, others_total } = await explain(world, '')
    expect([group, caller]).toEqual(['default', null])
    expect(tiers.map(({ priority }) => priority)).toEqual([5, -1])
    expect(tiers[0]?.channels.map(({ name, share, share_now }) => [name, share, share_now]).sort()).toEqual([
      ['first', 0.25, 0.25],
      ['second', 0.75, 0.75],
    ])
    expect(tiers[0]?.channels.find(({ name }) => name === 'second')?.upstream_model).toBe('o-prime')
    expect(tiers[1]?.channels[0]).toMatchObject({ name: 'last', share: 1, share_now: 0, state: 'steady', reasons: [] })
    expect(codes(others)).toEqual({
      broken: ['auto_disabled'],
      off: ['disabled'],
      vip: ['group'],
      prefixed: ['prefix'],
      small: ['model'],
    })
    expect(others.at(-1)?.name).toBe('small')
    expect(others.find(({ name }) => name === 'broken')?.reasons[0]?.detail).toBe('it spoke nonsense')
    expect(others_total).toBe(5)
  })

  once(
    'the explanation of an alias tells its rules and its chain, with the channels of the model it leads to',
    async () => {
      await using world = await createChannelWorld(kind)
      await world.aChannel({ name: 'first' })
      await world.aChannel({ name: 'small', models: 'o3' })
      const targets = [
        { model: 'gpt-4o', weight: 3 },
        { model: 'gone', weight: 1 },
      ]
      await setOptionsIn(world.ctx, {
        ModelAliases: JSON.stringify({
          smart: [{ groups: ['vip'], targets: [{ model: 'o3', weight: 1 }] }, { targets }],
        }),
        ModelChains: JSON.stringify({ smart: { models: ['o3'], on: ['failure'] } }),
      })
      const explained = channelRoutes.RouteExplanation.parse(
        (await world.ask('GET', '/api/channel/route?model=smart')).data,
      )
      expect([explained.model, explained.tiers[0]?.channels.map(({ name }) => name)]).toEqual(['gpt-4o', ['first']])
      expect(explained.name).toMatchObject({
        rules: [
          { fits: false, groups: ['vip'], targets: [{ model: 'o3', share: 1 }] },
          {
            fits: true,
            targets: [
              { model: 'gpt-4o', share: 1 },
              { model: 'gone', share: 0 },
            ],
          },
        ],
        chain: [{ model: 'o3', is_served: true }],
        on: ['failure'],
      })
      expect((await explain(world, '')).name).toBeNull()
    },
  )

  once('the explanation tells the strategy in force, and every score with its parts', async () => {
    await using world = await createChannelWorld(kind)
    const cheap = await world.aChannel({ name: 'cheap', setting: '{"max_concurrency":4}' })
    const dear = await world.aChannel({ name: 'dear' })
    const costs = [cheap, dear].map(({ id }, index) => ({
      channelId: id,
      model: 'gpt-4o',
      entry: { prices: { input: 1 + index, output: 1 + index } },
    }))
    await world.ctx.database.query.transaction().execute(async (transaction) => {
      await lockPrices(world.ctx, transaction)
      await storePrices(world.ctx, costs, { source: 'own', username: 'test' }, transaction)
    })
    await world.ctx.changes.deliver()
    expect((await explain(world, '')).tiers[0]).toMatchObject({ strategy: null, channels: [{ score: null }, {}] })
    await setOptionsIn(world.ctx, {
      RoutingStrategies: '[{"model":"gpt-*","strategy":"mix","cost":1,"load":1}]',
    })
    const [tier] = (await explain(world, '')).tiers
    expect(tier?.strategy).toEqual({ name: 'mix', cost: 0.5, speed: 0, load: 0.5 })
    const scores = Object.fromEntries(tier?.channels.map(({ name, score }) => [name, score]) ?? [])
    expect(scores['cheap']).toMatchObject({ score: 1, cost: 1, speed: 1, room: 1, first_token_ms: null })
    expect(scores['dear']?.cost).toBeCloseTo(0.5, 6)
    expect(scores['dear']?.score).toBeCloseTo(0.5 ** 0.5, 6)
    expect(scores['dear']?.reference_cost).toBeCloseTo((scores['cheap']?.reference_cost ?? NaN) * 2, 6)
  })

  once(
    'the explanation names an open breaker, keys in cooldown and a full channel, and the next tier takes over',
    async () => {
      await using world = await createChannelWorld(kind)
      const open = await world.aChannel({ name: 'open', priority: 5 })
      const rests = await world.aChannel({ name: 'rests', priority: 5 })
      const full = await world.aChannel({ name: 'full', priority: 5, setting: '{"max_concurrency":1,"max_waiting":5}' })
      await world.aChannel({ name: 'spare' })
      const keysOff = await world.aChannel({ name: 'no keys', priority: 5 })
      await world.ask('POST', '/api/channel/multi_key/manage', { channel_id: keysOff.id, action: 'disable_all_keys' })
      const { health, catalog } = world.ctx
      const channelOf = (id: number) => {
        const channel = catalog.current.channels.get(id)
        const [key] = channel?.keys ?? []
        if (!channel || !key) throw new Error('No channel')
        return { channel, key }
      }
      for (let turn = 0; turn < 5; turn += 1)
        health
          .begin({ ...channelOf(open.id), model: 'gpt-4o' })
          .recordFailure({ scope: 'channel', weight: 1, tookMs: 0 })
      health.coolDown(`${rests.id}:${channelOf(rests.id).key.fingerprint}`, 30)
      await health.slots.enter(channelOf(full.id).channel, { signal: new AbortController().signal, deadline: 1e12 })

      const { tiers } = await explain(world, '')
      expect(codes(tiers.flatMap(({ channels }) => channels))).toEqual({
        open: ['breaker'],
        rests: ['keys_resting'],
        full: ['full'],
        spare: [],
      })
      const [spare] = tiers[1]?.channels ?? []
      expect(spare).toMatchObject({ name: 'spare', share_now: 1 })
      expect(tiers[0]?.channels.every(({ share_now }) => share_now === 0)).toBe(true)
    },
  )

  once(
    'the explanation names a limit that is used up and when it begins anew, and the next tier takes over',
    async () => {
      const clock = new FakeTime()
      await using world = await createChannelWorld(kind, { clock })
      const { ctx } = world
      const key = 'sk-canary-secret-1,sk-canary-secret-2'
      const busy = await world.aChannel({ name: 'busy', priority: 5 })
      const keys = await world.aChannel({ name: 'keys', priority: 5, key })
      const half = await world.aChannel({ name: 'half', priority: 4, key })
      await world.aChannel({ name: 'spare' })
      const keyRefs = (id: number) =>
        (ctx.catalog.current.channels.get(id)?.keys ?? []).map((one) => `${id}:${one.fingerprint}`)
      const limit = async (id: number, secondsLeft: number, columns: Parameters<typeof aWindow>[2]) => {
        const window = await aWindow(ctx.database, id, { owner: 'channel', ...columns })
        const now = clock.seconds()
        await aPeriod(ctx.database, window.id, { subject_id: id, now, ends_at: now + secondsLeft, used: 100 })
      }
      await limit(busy.id, 40, { name: 'A minute' })
      const [first = '', second = ''] = keyRefs(keys.id)
      await limit(keys.id, 90, { name: 'Of one', owner: 'channel_key', ref: first })
      await limit(keys.id, 60, { name: 'Of the other', owner: 'channel_key', ref: second })
      await limit(half.id, 60, { name: 'Of half', owner: 'channel_key', ref: keyRefs(half.id)[0] ?? '' })
      await ctx.catalog.rebuild()

      const { tiers } = await explain(world, '')
      const found = tiers.flatMap(({ channels }) => channels)
      expect(Object.fromEntries(found.map(({ name, share_now }) => [name, share_now]))).toEqual({
        busy: 0,
        half: 1,
        keys: 0,
        spare: 0,
      })
      expect(Object.fromEntries(found.map(({ name, reasons }) => [name, reasons]))).toEqual({
        busy: [{ code: 'window_full', detail: 'A minute', seconds_left: 40 }],
        keys: [{ code: 'window_full', detail: 'Of the other', seconds_left: 60 }],
        half: [],
        spare: [],
      })
    },
  )

  once('the explanation shows what each channel would send, without credentials', async () => {
    await using world = await createChannelWorld(kind)
    const rewrites = [
      { models: ['o-*'], header_override: { 'x-team': 'blue', 'x-api-key': 'HIDDEN1' }, param_override: { seed: 7 } },
      { models: ['other'], param_override: { top_p: 1 } },
    ]
    await world.aChannel({
      base_url: 'https://user:HIDDEN2@api.example',
      model_mapping: '{"gpt-4o":"o-prime"}',
      setting: JSON.stringify({ rewrites }),
      param_override: '{"access_token":"HIDDEN3"}',
    })
    const { tiers } = await explain(world, '')
    const { sample } = tiers[0]?.channels[0] ?? {}
    expect(sample).toMatchObject({
      url: 'https://******@api.example/v1/chat/completions',
      headers: { 'x-team': 'blue', 'x-api-key': '******', 'content-type': 'application/json' },
    })
    expect(JSON.parse(sample?.body ?? '')).toMatchObject({ model: 'o-prime', seed: 7, access_token: '******' })
    expect(JSON.stringify(sample)).not.toMatch(/HIDDEN|top_p/)
  })

  once('the explanation shows what the refusals of an upstream taught, and sends the sample accordingly', async () => {
    await using world = await createChannelWorld(kind)
    const { id } = await world.aChannel({ name: 'taught' })
    await world.aChannel({ name: 'other', priority: -1 })
    world.ctx.health.lessons.add(`${id}/gpt-4o`, { onlyStreams: true, hasResponses: true })
    const [taught, other] = (await explain(world, '')).tiers.flatMap(({ channels }) => channels)
    expect([taught?.learned, other?.learned]).toEqual([['responses', 'only_streams'], []])
    expect(taught?.sample?.url).toEndWith('/v1/responses')
    expect(JSON.parse(taught?.sample?.body ?? '')).toMatchObject({ stream: true })
    expect(JSON.parse(other?.sample?.body ?? '')).not.toHaveProperty('stream')
  })

  once('the explanation says that a model without a price is not served', async () => {
    await using world = await createChannelWorld(kind)
    await world.aChannel({ models: 'unpriced-model' })
    const { data } = await world.ask('GET', '/api/channel/route?model=unpriced-model')
    const { tiers } = channelRoutes.RouteExplanation.parse(data)
    expect(tiers[0]?.channels[0]).toMatchObject({ share_now: 0, reasons: [{ code: 'unpriced' }] })
  })

  test('the explanation uses the group of the user or token, and says why their call would be refused', async () => {
    await using world = await createChannelWorld(kind)
    await world.aChannel({ name: 'plain' })
    await world.aChannel({ name: 'vip', group: 'vip' })
    const { id: userId } = await anAccount(world.ctx, { username: 'vera' })
    await world.ctx.database.query.updateTable('users').set({ group: 'vip' }).where('id', '=', userId).execute()
    const token = await world.ctx.database.query
      .insertInto('tokens')
      .values({
        user_id: userId,
        name: 'limited',
        key_hash: 'h',
        key_sealed: '',
        group: 'default',
        model_limits_enabled: 1,
        model_limits: 'o3',
        expired_time: -1,
        created_time: 1,
        accessed_time: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const byUser = await explain(world, '&user=vera')
    expect([byUser.group, byUser.caller]).toEqual([
      'vip',
      { user_id: userId, username: 'vera', token_id: 0, token_name: '', refusal: '' },
    ])
    expect(byUser.tiers.flatMap(({ channels }) => channels.map(({ name }) => name))).toEqual(['vip'])
    const byName = await explain(world, '&user=vera&token=limited')
    const byToken = await explain(world, `&token=${token.id}`)
    expect(byName).toEqual(byToken)
    expect([byToken.group, byToken.caller?.token_name, byToken.caller?.refusal]).toEqual([
      'default',
      'limited',
      expect.stringContaining('gpt-4o'),
    ])
    expect(await world.codeOf('GET', '/api/channel/route?model=gpt-4o&token=99999')).toBe('token.none')
    expect(await world.codeOf('GET', '/api/channel/route?model=gpt-4o&user=unknown')).toBe('user.none')
  })

  once('the explanation does not show one administrator the account of another', async () => {
    await using world = await createChannelWorld(kind)
    await anAccount(world.ctx, { username: 'peer', role: 10 })
    expect(await world.codeOf('GET', '/api/channel/route?model=gpt-4o&user=peer')).toBe('user.none')
  })
})
