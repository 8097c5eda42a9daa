import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createDrawingWorld, type DrawingWorld } from '../../../../test/drawing-world'

let world: DrawingWorld
beforeAll(async () => {
  world = await createDrawingWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.renewUser())

describe('drawing options', () => {
  test('drawing is closed where the site does not offer it, and its pictures stay', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    await using _ = await world.withOptions({ DrawingEnabled: 'false' })
    expect((await world.call('/mj/submit/imagine', { prompt: 'A harbour' })).status).toBe(403)
    expect((await world.call(`/mj/task/${id}/fetch`)).status).toBe(403)
    expect((await fetch(`${world.relay.url}/mj/image/${id}`)).status).toBe(200)
  })

  test('a proxy is told where to report only where the site accepts callbacks', async () => {
    const sent = { prompt: 'A harbour', notifyHook: 'https://app.example/hook' }
    await world.submit('imagine', sent)
    expect(world.proxy.requests.at(-1)?.body).toEqual({ prompt: 'A harbour' })
    await using _ = await world.withOptions({ MjNotifyEnabled: 'true' })
    const id = await world.submit('imagine', sent)
    expect(world.proxy.requests.at(-1)?.body['notifyHook']).toStartWith('https://gate.example/')
    expect(world.proxy.requests.at(-1)?.body['notifyHook']).toContain(id)
  })

  test('the client’s hook is told of the end in the client’s form only where the site accepts callbacks', async () => {
    const sent = { prompt: 'A harbour', notifyHook: 'https://app.example/hook', state: 'note 7' }
    await world.finish('imagine', sent)
    await using _ = await world.withOptions({ MjNotifyEnabled: 'true' })
    const id = await world.finish('imagine', sent)
    await world.finish('imagine', { ...sent, notifyHook: 'http://10.0.0.1/hook' })
    const { query } = world.relay.ctx.database
    const queued = await query.selectFrom('webhook_deliveries').selectAll().where('user_id', '=', world.user).execute()
    expect(queued.map(({ url }) => url)).toEqual([sent.notifyHook])
    expect(JSON.parse(queued[0]?.body ?? '')).toMatchObject({ ...(await world.fetch(id)), type: 'task' })
  })

  test('the account filter is passed on where the site allows it', async () => {
    const sent = { prompt: 'A harbour', accountFilter: { instanceId: '7' } }
    await world.submit('imagine', sent)
    expect(world.proxy.requests.at(-1)?.body).toEqual({ prompt: 'A harbour' })
    await using _ = await world.withOptions({ MjAccountFilterEnabled: 'true' })
    await world.submit('imagine', sent)
    expect(world.proxy.requests.at(-1)?.body).toEqual(sent)
  })

  test('mode words are removed from prompts where the site does not let callers choose', async () => {
    await world.submit('imagine', { prompt: 'A harbour --turbo --ar 3:2' })
    expect(world.proxy.requests.at(-1)?.body['prompt']).toBe('A harbour --turbo --ar 3:2')
    await using _ = await world.withOptions({ MjModeClearEnabled: 'true' })
    await world.submit('imagine', { prompt: 'A harbour --turbo --ar 3:2' })
    expect(world.proxy.requests.at(-1)?.body['prompt']).toBe('A harbour --ar 3:2')
  })

  test('pictures keep the proxy’s address where the site does not serve them', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    await using _ = await world.withOptions({ MjForwardUrlEnabled: 'false' })
    expect((await world.fetch(id)).imageUrl).toStartWith(`${world.proxy.url}/pictures/`)
  })

  test('pictures have the address that the client uses until the site’s own is set', async () => {
    const id = await world.finish('imagine', { prompt: 'A harbour' })
    await world.relay.setOptions({ ServerAddress: 'http://localhost:3000' })
    const { imageUrl } = await world.fetch(id)
    await world.relay.setOptions({ ServerAddress: 'https://gate.example' })
    expect(imageUrl).toBe(`${world.relay.url}/mj/image/${id}`)
  })

  test('an unfinished picture can be enlarged only where the site does not check', async () => {
    const id = await world.submit('imagine', { prompt: 'A harbour' })
    const change = { taskId: id, action: 'UPSCALE', index: 1 }
    const refused = await world.call('/mj/submit/change', change)
    expect([refused.status, refused.json.description]).toEqual([400, expect.stringContaining('not finished')])
    await using _ = await world.withOptions({ MjActionCheckSuccessEnabled: 'false' })
    expect((await world.call('/mj/submit/change', change)).json.code).toBe(1)
  })
})
