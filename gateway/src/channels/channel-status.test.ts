import { describe, expect, test } from 'bun:test'

import { storedPhrase } from '@tollgate/contract'

import { canary, createChannelWorld } from '../../test/channel-world'
import { kinds, onceOf } from '../../test/kinds'
import { fingerprintOf } from './catalog/channel-keys'
import { markCappedUsage } from './capped-usage'
import { disableChannel, enableChannel } from './channel-status'

for (const kind of kinds) {
  const once = onceOf(kind)

  describe(`the status of channels (${kind})`, () => {
    test('a channel is disabled once, with its reason, and can be enabled again', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel()
      const fail = (reason: string, key: string) =>
        disableChannel(world.ctx, id, { reason, keyFingerprint: fingerprintOf(key) })
      expect(await fail('of a key that was exchanged', 'old')).toBeNull()
      const outcomes = await Promise.all(['x', 'y', 'z'].map((reason) => fail(reason, `sk-${canary}`)))
      expect(outcomes.filter(Boolean)).toEqual(['channel'])
      const channel = await world.one(id)
      expect(channel.status).toBe(3)
      const info = JSON.parse(channel.other_info)
      expect(info.status_reason).toMatch(/^[xyz]$/)
      expect(info.status_time).toBeGreaterThan(1_600_000_000)
      expect(world.serving('gpt-4o')).toEqual([])
      expect([await enableChannel(world.ctx, id), await enableChannel(world.ctx, id)]).toEqual([true, false])
      expect(JSON.parse((await world.one(id)).other_info)).toEqual({ enabled_at_ms: expect.any(Number) })
      expect(world.serving('gpt-4o')).toEqual([[id]])
    })

    once('what began before a channel was enabled does not disable it again', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel()
      const began = world.ctx.clock.now() - 1000
      const fail = (beganAtMs: number) => disableChannel(world.ctx, id, { reason: 'x', beganAtMs })
      expect(await fail(began)).toBe('channel')
      await enableChannel(world.ctx, id)
      expect([await fail(began), await fail(world.ctx.clock.now())]).toEqual([null, 'channel'])
      await world.ask('PUT', '/api/channel/', { id, status: 1 })
      expect([await fail(began), await fail(world.ctx.clock.now())]).toEqual([null, 'channel'])
    })

    test('the reason why a channel was disabled is shown in the reader’s language', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel()
      await disableChannel(world.ctx, id, { reason: storedPhrase('status.too_slow', { seconds: '6.00', limit: 5 }) })
      const reasonIn = async (language: string, path: string) => {
        const envelope = await world.ask('GET', path, undefined, undefined, language)
        return JSON.stringify(envelope.data)
      }
      for (const path of [`/api/channel/${id}`, '/api/channel/', '/api/channel/search?keyword=one']) {
        expect(await reasonIn('en', path)).toContain('The test took 6.00 s, more than the limit of 5 s')
        expect(await reasonIn('zh', path)).toContain('测试用时 6.00 秒，超过上限 5 秒')
      }
    })

    test('a channel whose upstream reports impossible usage is marked at most once a minute, until it is enabled again', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel()
      await Promise.all(Array.from({ length: 5 }, () => markCappedUsage(world.ctx, id)))
      const info = async () => JSON.parse((await world.one(id)).other_info)
      expect(await info()).toEqual({ capped_count: 1, capped_at: expect.any(Number) })
      await disableChannel(world.ctx, id, { reason: 'x' })
      await enableChannel(world.ctx, id)
      expect(await info()).toEqual({ enabled_at_ms: expect.any(Number) })
    })

    once('a manually disabled channel is left unchanged', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel()
      await world.ask('PUT', '/api/channel/', { id, status: 2 })
      expect(await disableChannel(world.ctx, id, { reason: 'x' })).toBeNull()
      expect(await enableChannel(world.ctx, id)).toBe(false)
      expect(await world.one(id)).toMatchObject({ status: 2, other_info: '{}' })
    })

    once('a failing key is disabled alone, the last one together with the channel', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel({ key: 'a,b' })
      const fail = (key: string) => disableChannel(world.ctx, id, { reason: 'no', keyFingerprint: fingerprintOf(key) })
      expect([await fail('a'), await fail('a'), await fail('other')]).toEqual(['key', null, null])
      const keysInService = () =>
        world.ctx.catalog.current.channels.get(id)?.keys.flatMap(({ value, isEnabled }) => (isEnabled ? [value] : []))
      expect(keysInService()).toEqual(['b'])
      expect((await world.one(id)).keys[0]).toMatchObject({ status: 3, reason: 'no' })
      expect(await fail('b')).toBe('channel')
      expect((await world.one(id)).status).toBe(3)
      await enableChannel(world.ctx, id)
      expect(keysInService()).toEqual(['a', 'b'])
    })
  })

  describe(`the keys of a channel (${kind})`, () => {
    once('keys are disabled, enabled and deleted one by one or all together', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel({ key: 'a,b,c' })
      const manage = (action: string, more: Record<string, unknown> = {}) =>
        world.ask('POST', '/api/channel/multi_key/manage', { channel_id: id, action, ...more })
      const statuses = async () => (await world.one(id)).keys.map(({ status }) => status)
      const b = { fingerprint: fingerprintOf('b') }
      await manage('disable_key', b)
      expect(await statuses()).toEqual([1, 2, 1])
      await manage('enable_key', b)
      await manage('disable_key', { key_index: 0 })
      expect(await statuses()).toEqual([2, 1, 1])
      expect((await manage('get_key_status')).data).toMatchObject({ id, keys: [{ status: 2 }, {}, {}] })
      await manage('delete_key', b)
      expect(await statuses()).toEqual([2, 1])
      await manage('delete_disabled_keys')
      expect((await world.one(id)).keys.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf('c')])
      expect((await manage('delete_key', { key_index: 0 })).code).toBe('channel.key_last')
      expect((await manage('disable_key', b)).code).toBe('channel.key_unknown')
      expect((await manage('disable_key')).code).toBe('channel.key_unknown')
      await manage('disable_all_keys')
      expect([(await world.one(id)).status, world.serving('gpt-4o')]).toEqual([3, []])
      expect((await manage('delete_disabled_keys')).code).toBe('channel.key_last')
      await manage('enable_all_keys')
      expect([(await world.one(id)).status, world.serving('gpt-4o')]).toEqual([1, [[id]]])
    })

    once('keys keep their state when others are added, and lose it when they are removed', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel({ key: 'a,b' })
      await disableChannel(world.ctx, id, { reason: 'no', keyFingerprint: fingerprintOf('a') })
      const statuses = async (key: string) => {
        await world.ask('PUT', '/api/channel/', { id, key })
        return (await world.one(id)).keys.map(({ status }) => status)
      }
      expect(await statuses('c,a\nb')).toEqual([1, 3, 1])
      expect(await statuses('b')).toEqual([1])
      expect(await statuses('a')).toEqual([1])
    })
  })
}
