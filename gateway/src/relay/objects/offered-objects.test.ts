import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'

const errorOf = async (response: Response) => ((await response.json()) as { error: JsonObject }).error

describe.each(eachDatabase)('what the operator offers of accounts (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database)
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  test('objects of the operator are offered to groups, by id or by name, where their account is', async () => {
    const search = (id: string) => ({ tools: [{ type: 'file_search', vector_store_ids: [id] }] })
    const one = 2
    await at.offer([
      { id: 'vs_two', channel: at.two, name: 'handbook' },
      { id: 'vs_vip', channel: at.two, groups: 'vip, staff' },
    ])
    for (const id of ['vs_two', 'handbook', 'vs_two']) {
      expect((await at.respond(search(id), at.ben)).status).toBe(200)
      expect(at.vendor.last).toMatchObject({ key: 'k3', body: search('vs_two') })
    }
    expect((await at.respond(search('vs_vip'))).status).toBe(404)
    const staff = await at.world.addToken(at.ann.userId, { group: 'staff' })
    await at.world.changeChannel(at.two, { group: 'default,staff' })
    await at.world.setOptions({ GroupRatio: '{"default":1,"staff":1}', UserUsableGroups: '{"default":"","staff":""}' })
    expect((await at.respond(search('vs_vip'), { ...at.ann, key: staff })).status).toBe(200)
    await at.offer([
      { id: 'vs_two', channel: at.two, name: 'handbook' },
      { id: 'vs_one', channel: one, name: 'handbook' },
    ])
    const seen = new Set<string>()
    for (let turn = 0; turn < 30; turn += 1) {
      await at.respond(search('handbook'))
      const { key, body } = at.vendor.last
      seen.add(`${key === 'k3'} ${JSON.stringify(body['tools']).includes('vs_two')}`)
    }
    expect([...seen].toSorted()).toEqual(['false false', 'true true'])
    await at.offer([])
  })

  test('an open account serves what no user made, and never what another user made', async () => {
    await at.offer([{ id: '*', channel: at.two }])
    const { id } = await at.aResponse()
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    expect((await at.respond({ prompt: { id: 'pmpt_any' } }, at.ben)).status).toBe(200)
    expect(at.vendor.last.key).toBe('k3')
    expect((await at.respond({ previous_response_id: id }, at.ben)).status).toBe(400)
    // What all may use is not taken by the first who does.
    at.vendor.extra = { conversation: { id: 'conv_all' } }
    expect((await at.respond({ conversation: 'conv_all' })).status).toBe(200)
    expect((await at.respond({ conversation: 'conv_all' }, at.ben)).status).toBe(200)
    await at.offer([])
  })

  test('a site for oneself may name everything in its accounts', async () => {
    await at.world.setOptions({ SelfUseModeEnabled: 'true' })
    expect((await at.respond({ prompt: { id: 'pmpt_own' } })).status).toBe(200)
    await at.world.setOptions({ SelfUseModeEnabled: 'false' })
    expect((await at.respond({ prompt: { id: 'pmpt_own' } })).status).toBe(404)
  })

  test('those who may pin a channel may name everything in its account', async () => {
    const userId = await at.world.addUser(1e9, { role: 100 })
    const key = await at.world.addToken(userId)
    const pinned = await at.respond({ prompt: { id: 'pmpt_own' } }, { userId, key: `${key}-${at.two}` })
    expect([pinned.status, at.vendor.last.key]).toEqual([200, 'k3'])
  })

  test('more names than a conversation has items are refused', async () => {
    const input = Array.from({ length: 1001 }, (_, at) => ({ type: 'item_reference', id: `msg_many_${at}` }))
    const refused = await at.respond({ input })
    expect([refused.status, (await errorOf(refused))['code']]).toEqual([400, 'object.many'])
  })
})
