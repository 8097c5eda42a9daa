import { expect, test } from 'bun:test'

import { modelRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { createWorld } from '../../../test/world'
import { channelHandlers } from '../channels/channels'
import { modelHandlers } from './models'

test('models for conversations, and for images, exclude those that are known to have another purpose', async () => {
  await using world = await createWorld({})
  const site = createTestConsole(world.ctx, [...channelHandlers, ...modelHandlers])
  const admin = await site.signIn((await anAccount(world.ctx, { role: role.admin })).id)
  await site.send('POST', '/api/channel/', {
    as: admin,
    body: {
      type: 1,
      name: 'one',
      key: 'sk-x',
      models: 'gpt-4o,text-embedding-3-large,whisper-1,dall-e-3,my-own',
      group: 'default',
    },
  })
  const client = site.client(admin)
  expect(await client.call(modelRoutes.ownModels, { query: { chat: true } })).toEqual(['gpt-4o', 'my-own'])
  expect(await client.call(modelRoutes.ownModels, { query: { images: true } })).toEqual(['dall-e-3', 'my-own'])
  expect(await client.call(modelRoutes.ownModels)).toHaveLength(5)
})
