import { describe, expect, test } from 'bun:test'

import { createChannelWorld } from '../../../test/channel-world'
import { kinds, onceOf } from '../../../test/kinds'

for (const kind of kinds) {
  const once = onceOf(kind)

  describe(`tags of channels (${kind})`, () => {
    test('many channels get or lose a tag at once', async () => {
      await using world = await createChannelWorld(kind)
      const [a, b] = [await world.aChannel(), await world.aChannel()]
      const tag = (body: unknown) => world.ask('POST', '/api/channel/batch/tag', body)
      expect((await tag({ ids: [a.id, b.id, 999], tag: ' t ' })).data).toBe(2)
      expect((await world.one(a.id)).tag).toBe('t')
      expect((await tag({ ids: [a.id], tag: null })).data).toBe(1)
      expect((await world.one(a.id)).tag).toBeNull()
      expect((await tag({ ids: [a.id], tag: ' ' })).code).toBe('channel.tag_empty')
      expect((await tag({ ids: [], tag: 't' })).code).toBe('channel.ids_empty')
    })

    once('an edit of a tag changes all its channels, and what they serve', async () => {
      await using world = await createChannelWorld(kind)
      const a = await world.aChannel({ tag: 't', models: 'gpt-4o,o3' })
      const b = await world.aChannel({ tag: 't' })
      const other = await world.aChannel()
      const edit = (body: Record<string, unknown>) => world.ask('PUT', '/api/channel/tag', { tag: 't', ...body })
      expect((await world.ask('GET', '/api/channel/tag/models?tag=t')).data).toBe('gpt-4o,o3')
      expect((await edit({ models: 'o1', groups: 'vip', priority: 4, weight: 6 })).data).toBe(2)
      expect(world.serving('o1', 'vip')).toEqual([[a.id, b.id]])
      expect(world.serving('gpt-4o')).toEqual([[other.id]])
      expect(await world.one(b.id)).toMatchObject({ priority: 4, weight: 6, group: 'vip', tag: 't' })
      for (const emptyEdit of [{}, { models: '', groups: null }, { new_tag: 't' }]) {
        expect((await edit(emptyEdit)).code).toBe('channel.tag_unchanged')
      }
      expect((await edit({ priority: 0.5 })).code).toBe('channel.priority')
      expect((await edit({ weight: -1 })).code).toBe('channel.weight')
      expect((await edit({ tag: '', weight: 1 })).code).toBe('channel.tag_empty')
      expect((await edit({ new_tag: 'u' })).data).toBe(2)
      expect((await edit({ tag: 'u', new_tag: '' })).data).toBe(2)
      expect((await world.one(a.id)).tag).toBeNull()
    })

    once('all channels of a tag are disabled and enabled again, with their keys', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel({ tag: 't', key: 'a,b' })
      await world.ask('POST', '/api/channel/multi_key/manage', { channel_id: id, action: 'disable_all_keys' })
      expect(await world.one(id)).toMatchObject({ status: 3 })
      expect((await world.ask('POST', '/api/channel/tag/disabled', { tag: 't' })).data).toBe(1)
      expect(await world.one(id)).toMatchObject({ status: 2 })
      expect((await world.ask('POST', '/api/channel/tag/enabled', { tag: 't' })).data).toBe(1)
      expect(world.serving('gpt-4o')).toEqual([[id]])
      expect(JSON.parse((await world.one(id)).other_info)).toEqual({ enabled_at_ms: expect.any(Number) })
    })

    once('an empty mapping clears the mapping of all channels of a tag, an absent one leaves it', async () => {
      await using world = await createChannelWorld(kind)
      const { id } = await world.aChannel({ tag: 't', model_mapping: '{"gpt-4o":"real"}' })
      await world.ask('PUT', '/api/channel/tag', { tag: 't', weight: 3, model_mapping: null })
      expect((await world.one(id)).model_mapping).toBe('{"gpt-4o":"real"}')
      expect((await world.ask('PUT', '/api/channel/tag', { tag: 't', model_mapping: '' })).data).toBe(1)
      expect((await world.one(id)).model_mapping).toBe('')
    })

    once('a tag that no channel has is refused', async () => {
      await using world = await createChannelWorld(kind)
      await world.aChannel({ tag: 't' })
      expect((await world.ask('PUT', '/api/channel/tag', { tag: 'none', weight: 1 })).code).toBe('channel.tag_none')
      expect((await world.ask('GET', '/api/channel/tag/models?tag=none')).code).toBe('channel.tag_none')
      const long = 'x'.repeat(256)
      expect((await world.ask('POST', '/api/channel/tag/enabled', { tag: long })).code).toBe('input.invalid')
      for (const action of ['enabled', 'disabled']) {
        const envelope = await world.ask('POST', `/api/channel/tag/${action}`, { tag: 'none' })
        expect(envelope.code).toBe('channel.tag_none')
      }
    })
  })
}
