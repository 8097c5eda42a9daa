import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { systemClock } from '../../platform/time/clock'
import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'
import { noRests } from '../../../test/pace'
import { pruneVendorObjects } from '../../app/jobs/prune'
import { createVendorObjects } from '../../channels/vendor-objects/create-vendor-objects'

const errorOf = async (response: Response) => ((await response.json()) as { error: JsonObject }).error
const code = { type: 'code_interpreter_call', id: 'ci', container_id: 'it', status: 'completed', code: '1' }
const user = (content: unknown) => ({ role: 'user', content })

describe.each(eachDatabase)('accounts that have what calls name (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database)
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  test('a response that the vendor was asked not to keep is not recorded, and what its tools made is', async () => {
    at.vendor.extra = { output: [{ ...code, container_id: 'cntr_unkept' }] }
    const { id } = await at.aResponse({ store: false })
    expect((await at.respond({ previous_response_id: id })).status).toBe(400)
    expect((await at.respond({ tools: [{ type: 'code_interpreter', container: 'cntr_unkept' }] })).status).toBe(200)
  })

  test('ids of a translated response name nothing: the vendor knows no such response', async () => {
    await at.world.addChannel({
      base_url: at.vendor.address,
      type: 14,
      models: 'only-messages',
      model_mapping: '{"only-messages":"claude-sonnet-4-5"}',
    })
    await at.world.setOptions({ ModelRatio: '{"only-messages":1}' })
    const { id } = (await (await at.respond({ model: 'only-messages' })).json()) as { id: string }
    expect(id).toStartWith('resp_')
    const refused = await at.respond({ model: 'only-messages', previous_response_id: id })
    expect([refused.status, (await errorOf(refused))['code']]).toEqual([400, 'previous_response_not_found'])
  })

  test('what is made in a stream that its client leaves is recorded', async () => {
    at.vendor.extra = { id: 'resp_left' }
    const response = await at.respond({ stream: true })
    await response.body?.cancel()
    await eventually(async () => (at.world.inFlight.count === 0 ? true : null))
    at.vendor.extra = {}
    expect((await at.respond({ previous_response_id: 'resp_left' })).status).toBe(200)
  })

  test('an id that a database would refuse is not recorded, so that it holds up no other', async () => {
    at.vendor.extra = { id: 'resp_\0' }
    const { id } = (await (await at.respond({ background: true })).json()) as { id: string }
    const ended = at.world.ctx.database.query
      .selectFrom('tasks')
      .where('public_id', '=', id)
      .where('status', '=', 'SUCCESS')
    await eventually(async () => (await ended.select('id').executeTakeFirst()) ?? null)
    at.vendor.extra = {}
    await at.aResponse()
    await eventually(async () => (at.world.ctx.vendorObjects.queued === 0 ? true : null))
    expect((await at.respond({ previous_response_id: id })).status).toBe(400)
  })

  test('another worker knows it too, and one that is asked too early waits for it', async () => {
    const vendorObjects = createVendorObjects({ ...at.world.ctx, onDropped: () => {} })
    const callOtherWorker = at.anotherWorker({ vendorObjects })
    for (let turn = 0; turn < 5; turn += 1) {
      const { id, key } = await at.aResponse()
      expect((await callOtherWorker({ previous_response_id: id })).status).toBe(200)
      expect(at.vendor.last.key).toBe(key)
      expect((await callOtherWorker({ previous_response_id: id }, at.ben)).status).toBe(400)
    }
    await vendorObjects.close()
  })

  test('a response is not found where its key is gone, and may be tried again where the key is off', async () => {
    const seal = (keys: string) => ({ key_sealed: at.world.ctx.seal.seal(keys) })
    const channel = await at.world.addChannel({
      base_url: at.vendor.address,
      ...seal('k10\nk11'),
      models: 'gpt-4.1',
      priority: 9,
    })
    const createdResponse = await at.aResponse()
    at.vendor.extra = { output: [{ ...code, container_id: 'cntr_gone' }] }
    let container = ''
    while (container !== createdResponse.key) {
      await at.respond()
      container = at.vendor.last.key
    }
    at.vendor.extra = {}
    await at.world.changeChannel(channel, { status: 2 })
    const off = await at.respond({ previous_response_id: createdResponse.id })
    expect([off.status, (await errorOf(off))['code']]).toEqual([503, 'object.away'])
    await at.world.changeChannel(channel, { status: 1, ...seal(createdResponse.key === 'k10' ? 'k11' : 'k10') })
    at.vendor.received = []
    const gone = await at.respond({ previous_response_id: createdResponse.id })
    expect([gone.status, (await errorOf(gone))['code']]).toEqual([400, 'previous_response_not_found'])
    const lost = await at.respond({ tools: [{ type: 'code_interpreter', container: 'cntr_gone' }] })
    expect([lost.status, (await errorOf(lost))['code']]).toEqual([404, 'object.gone'])
    expect(at.vendor.received).toEqual([])
    await at.world.ctx.database.query.deleteFrom('channels').where('id', '=', channel).execute()
    await at.world.ctx.catalog.rebuild()
  })

  test('a channel of the same account serves another model; one of another address with the same key does not', async () => {
    const key_sealed = at.world.ctx.seal.seal('k20')
    const channelValues = { key_sealed, priority: 9 }
    const first = await at.world.addChannel({ ...channelValues, base_url: at.vendor.address, models: 'gpt-4.1' })
    const { id } = await at.aResponse()
    expect(at.vendor.last.key).toBe('k20')
    await at.world.addChannel({ ...channelValues, base_url: `${at.vendor.address}/other`, models: 'gpt-4o' })
    expect((await at.respond({ model: 'gpt-4o', previous_response_id: id })).status).toBe(400)
    await at.world.addChannel({ ...channelValues, base_url: at.vendor.address, models: 'gpt-4o', priority: 0 })
    expect((await at.respond({ model: 'gpt-4o', previous_response_id: id })).status).toBe(200)
    expect(at.vendor.last.key).toBe('k20')
    await at.world.changeChannel(first, { status: 2 })
  })

  test('what lies in at.two accounts cannot be named together', async () => {
    at.vendor.extra = { output: [{ ...code, container_id: 'cntr_here' }] }
    const { key } = await at.aResponse()
    at.vendor.extra = {}
    let other = await at.aResponse()
    while (other.key === key) other = await at.aResponse()
    const tools = [{ type: 'code_interpreter', container: 'cntr_here' }]
    const refused = await at.respond({ previous_response_id: other.id, tools })
    expect([refused.status, (await errorOf(refused))['code']]).toEqual([400, 'object.split'])
  })

  test('what was made is forgotten after as many days as the site wants', async () => {
    const { query } = at.world.ctx.database
    await at.world.setOptions({ VendorObjectDays: '2' })
    const before = systemClock.seconds()
    at.vendor.extra = { id: 'resp_days', output: [] }
    await at.respond()
    const row = await eventually(async () => {
      await query.selectFrom('vendor_objects').select('id_hash').limit(1).execute()
      const rows = await query.selectFrom('vendor_objects').selectAll().orderBy('expires_at').execute()
      return rows.find((one) => one.expires_at <= before + 3 * 86_400) ?? null
    })
    expect(row.expires_at).toBeWithin(before + 2 * 86_400, before + 2 * 86_400 + 60)
    expect(row).toMatchObject({ user_id: at.ann.userId, tokens: 1000, vendor_id: '' })
    expect(JSON.stringify(row)).not.toContain('resp_days')
    await query.updateTable('vendor_objects').set({ expires_at: 1 }).where('id_hash', '=', row.id_hash).execute()
    const fresh = createVendorObjects({ ...at.world.ctx, onDropped: () => {} })
    expect(await fresh.ofOwner({ userId: at.ann.userId, tokenId: null }, ['resp_days'])).toEqual(new Map())
    const count = async () => (await query.selectFrom('vendor_objects').select('id_hash').execute()).length
    const all = await count()
    await pruneVendorObjects(at.world.ctx, () => noRests()).run(new AbortController().signal)
    expect(await count()).toBe(all - 1)
    await at.world.setOptions({ VendorObjectDays: '30' })
    await fresh.close()
  })

  test('a response that was made in the background goes on under the id that its client knows', async () => {
    at.vendor.extra = { id: 'resp_of_the_vendor' }
    const { id } = (await (await at.respond({ background: true })).json()) as { id: string }
    await eventually(async () => (at.world.inFlight.count === 0 ? true : null))
    const { key } = at.vendor.last
    at.vendor.extra = {}
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await at.respond({ previous_response_id: id })).status).toBe(200)
      expect(at.vendor.last).toMatchObject({ key, body: { previous_response_id: 'resp_of_the_vendor' } })
    }
    expect((await at.respond({ previous_response_id: id }, at.ben)).status).toBe(400)
    expect((await at.respond({ previous_response_id: 'resp_of_the_vendor' })).status).toBe(400)
  })

  test('a call after a response of known length holds that and what it adds, and another after an unknown one the window', async () => {
    // 2 and 8 dollars a million tokens; 1000 tokens before, and the window is a million.
    const turn = (id: string) => ({ previous_response_id: id, max_output_tokens: 16 })
    let maxHold = 0
    const { ledger } = at.world.ctx
    const reserve: typeof ledger.reserve = (requestId, payer, holdRange) => {
      maxHold = typeof holdRange === 'number' ? holdRange : holdRange.max
      return ledger.reserve(requestId, payer, holdRange)
    }
    const callWorker = at.anotherWorker({ ledger: { ...ledger, reserve, reserveNow: () => null } })
    const heldFor = async (body: JsonObject) => {
      expect((await callWorker(body)).status).toBe(200)
      return maxHold
    }
    const { id } = await at.aResponse()
    expect(await heldFor(turn(id))).toBeWithin(1000 + 16 * 4, 1000 + 16 * 4 + 100)
    at.vendor.extra = { usage: null }
    const { id: unmeasured } = await at.aResponse()
    at.vendor.extra = {}
    expect(await heldFor(turn(unmeasured))).toBeGreaterThan(1_000_000)
    const file = [user([{ type: 'input_file', file_url: 'https://files.example/a.pdf' }])]
    expect(await heldFor({ ...turn(id), input: file })).toBeGreaterThan(1_000_000)
  })
})
