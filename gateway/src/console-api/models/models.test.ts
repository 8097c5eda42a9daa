import { expect, test } from 'bun:test'

import { modelRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { createWorld } from '../../../test/world'
import { channelHandlers } from '../channels/channels'
import { modelHandlers } from './models'

test('models for conversations, images, videos and songs exclude those that are known to have another purpose', async () => {
  await using world = await createWorld({})
  const site = createTestConsole(world.ctx, [...channelHandlers, ...modelHandlers])
  const admin = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
  await site.send('POST', '/api/channel/', {
    as: admin,
    body: {
      type: 1,
      name: 'one',
      key: 'sk-x',
      models: 'gpt-4o,text-embedding-3-large,whisper-1,dall-e-3,sora-2,suno_music,mj_imagine,my-own',
      group: 'default',
    },
  })
  const client = site.client(admin)
  expect(await client.call(modelRoutes.ownModels, { query: { chat: true } })).toEqual([
    'gpt-4o',
    'mj_imagine',
    'my-own',
    'suno_music',
  ])
  const making = (makes: string) => client.call(modelRoutes.ownModels, { query: { makes } })
  expect(await making('images')).toEqual(['dall-e-3', 'my-own'])
  expect(await making('videos')).toEqual(['my-own', 'sora-2'])
  expect(await making('songs')).toEqual(['suno_music'])
  expect(await client.call(modelRoutes.ownModels)).toHaveLength(8)
})
