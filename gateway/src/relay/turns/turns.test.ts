import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { isObject, type JsonObject } from '@tollgate/dialects'
import OpenAI from 'openai'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'
import { createTurns } from '../../channels/turns/create-turns'
import { turnLimits } from '../../channels/turns/turns'
import { createVendorObjects } from '../../channels/vendor-objects/create-vendor-objects'

type Caller = ObjectWorld['ann']
type Input = OpenAI.Responses.ResponseInput

const errorIn = async (response: Response) => {
  const { error } = (await response.json()) as { error?: JsonObject }
  return { status: response.status, code: error?.['code'], message: String(error?.['message']) }
}

/** A model of each dialect that the vendor speaks. */
const models = {
  'openai-responses': 'gpt-4.1',
  'openai-chat': 'deepseek-chat',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
} as const
const translated = [models['openai-chat'], models['anthropic-messages'], models.gemini]
const claude = models['anthropic-messages']

describe.each(eachDatabase)('turns of the Responses API (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database, { withTurns: true })
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  const respond = (body: JsonObject, caller: Caller = at.ann) => at.respond(body, caller)
  const client = ({ key }: Caller = at.ann) => new OpenAI({ apiKey: key, baseURL: `${at.world.url}/v1`, maxRetries: 0 })
  const responses = (caller?: Caller) => client(caller).responses
  const turn = (model: string, input: string | Input, previous?: OpenAI.Responses.Response) =>
    responses().create({ model, input, ...(previous && { previous_response_id: previous.id }) })
  const isWritten = () => eventually(async () => (at.world.ctx.turns.queued === 0 ? true : null))

  /** What the upstream is sent by a client that repeats everything. */
  async function sentByRepeating(model: string, input: Input): Promise<JsonObject> {
    await responses().create({ model, input, store: false })
    return at.vendor.last.body
  }

  const withoutIds = ({ input }: JsonObject) => (input as JsonObject[]).map((item) => ({ ...item, id: undefined }))
  const aMessage = (content: string): Input[number] => ({ role: 'user', content })

  describe.each(translated.map((model) => [model]))('over %s', (model) => {
    test('a call that names a response is sent with everything before, and says what it goes on from', async () => {
      const first = await turn(model, 'one')
      const second = await turn(model, [aMessage('two')], first)
      const third = await turn(model, 'three', second)
      const sent = at.vendor.last.body
      const repeated = [aMessage('one'), ...first.output, aMessage('two'), ...second.output, aMessage('three')] as Input
      expect(sent).toEqual(await sentByRepeating(model, repeated))
      expect([first, second, third].map(({ previous_response_id: id }) => id)).toEqual([null, first.id, second.id])
      expect(third).toMatchObject({ store: true })
    })

    test('streams go on from streams', async () => {
      const stream = async (input: string, previous?: OpenAI.Responses.Response) =>
        responses()
          .stream({ model, input, ...(previous && { previous_response_id: previous.id }) })
          .finalResponse()
      const first = await stream('one')
      const second = await stream('two', first)
      expect(second.previous_response_id).toBe(first.id)
      const sent = at.vendor.last.body
      await responses()
        .stream({ model, input: [aMessage('one'), ...first.output, aMessage('two')] as Input, store: false })
        .finalResponse()
      expect(sent).toEqual(at.vendor.last.body)
    })
  })

  test('a conversation goes on with models of every dialect in turn', async () => {
    let previous: OpenAI.Responses.Response | undefined
    const all: Input = []
    for (const model of [models['openai-responses'], ...translated, models['openai-responses'], claude]) {
      const response = await turn(model, `to ${model}`, previous)
      const { body } = at.vendor.last
      all.push(aMessage(`to ${model}`))
      expect(body).not.toHaveProperty('previous_response_id')
      const repeated = { ...(await sentByRepeating(model, all)) }
      if (model !== models['openai-responses']) expect(body).toEqual(repeated)
      // The ids of items of other accounts are left out.
      else if (all.length > 1) expect(withoutIds(body)).toEqual(withoutIds(repeated))
      all.push(...(response.output as Input))
      previous = response
    }
  })

  test('a vendor that keeps a response is given its id', async () => {
    const first = await turn('gpt-4.1', 'one')
    await turn('gpt-4.1', 'two', first)
    expect(at.vendor.last.body).toMatchObject({ input: 'two', previous_response_id: first.id })
  })

  test('a call goes on where its vendor does not know the response that it named', async () => {
    const balance = () => at.world.balanceOf(at.ann.userId)
    const first = await turn('gpt-4.1', 'one')
    const before = await balance()
    await turn('gpt-4.1', 'two', first)
    const price = before - (await balance())
    at.vendor.isForgetful = true
    for (const stream of [false, true]) {
      const response = await respond({ input: 'two', previous_response_id: first.id, stream })
      expect([response.status, (await response.text()).includes('Forty-two')]).toEqual([200, true])
      expect(at.vendor.last.body).not.toHaveProperty('previous_response_id')
      expect(JSON.stringify(at.vendor.last.body['input'])).toMatch(/one.*Forty-two.*two/)
    }
    expect(before - (await balance())).toBe(price * 3)
    await responses().delete(first.id)
    const second = await turn('gpt-4.1', 'two')
    await at.world.ctx.turns.remove({ userId: at.ann.userId, tokenId: null }, second.id)
    const refused = await respond({ input: 'three', previous_response_id: second.id })
    expect(await errorIn(refused)).toMatchObject({
      status: 400,
      message: expect.stringContaining('Unsupported parameter'),
    })
    at.vendor.isForgetful = false
  })

  test('a call goes on where the account that has the response does not serve any more', async () => {
    const channel = await at.world.addChannel({ ...at.keys('k30'), models: 'gpt-4.1', priority: 9 })
    const first = await turn('gpt-4.1', 'one')
    expect(at.vendor.last.key).toBe('k30')
    await at.world.changeChannel(channel, { status: 2 })
    const second = await turn('gpt-4.1', 'two', first)
    expect(at.vendor.last.key).not.toBe('k30')
    expect(at.vendor.last.body).not.toHaveProperty('previous_response_id')
    expect(at.vendor.last.body['input']).toMatchObject([
      aMessage('one'),
      { role: 'assistant', content: [{ text: 'Forty-two' }] },
      aMessage('two'),
    ])
    expect(second.previous_response_id).toBe(first.id)
    const third = await turn('gpt-4.1', 'three', second)
    expect(at.vendor.last.body).toMatchObject({ previous_response_id: second.id, input: 'three' })
    expect((await responses().inputItems.list(third.id, { order: 'asc' })).data).toHaveLength(5)
  })

  test('instructions are those of the call alone', async () => {
    const first = await responses().create({ model: claude, input: 'one', instructions: 'Be brief.' })
    await turn(claude, 'two', first)
    expect(JSON.stringify(at.vendor.last.body)).not.toContain('Be brief.')
  })

  test('encrypted reasoning goes back to the account that made it and to no other', async () => {
    const channel = await at.world.addChannel({ ...at.keys('k31'), models: 'gpt-4.1', priority: 9 })
    const reasoning = { type: 'reasoning', id: 'rs_sealed', summary: [], encrypted_content: 'gAAAAAsealed' }
    const message = { type: 'message', id: 'msg_s', role: 'assistant', content: [{ type: 'output_text', text: 'hm' }] }
    at.vendor.extra = { output: [reasoning, message] }
    const first = await turn('gpt-4.1', 'one')
    at.vendor.extra = {}
    const conversation = await client().conversations.create({ items: [] })
    at.vendor.extra = { output: [reasoning, message] }
    await responses().create({ model: 'gpt-4.1', input: 'one', conversation: conversation.id })
    at.vendor.extra = {}
    await responses().create({ model: 'gpt-4.1', input: 'two', conversation: conversation.id })
    expect(at.vendor.last.key).toBe('k31')
    expect(JSON.stringify(at.vendor.last.body)).toContain('gAAAAAsealed')
    await at.world.changeChannel(channel, { status: 2 })
    for (const model of ['gpt-4.1', ...translated]) {
      await turn(model, 'two', first)
      await responses().create({ model, input: 'three', conversation: conversation.id })
    }
    const others = at.vendor.received.filter(({ key }) => key !== 'k31')
    expect(others).toHaveLength(8)
    for (const { body } of others) {
      expect(JSON.stringify(body)).toContain('hm')
      expect(JSON.stringify(body)).not.toMatch(/gAAAAAsealed|rs_sealed|msg_s\b/)
    }
  })

  test('reasoning that a vendor keeps is left out for others, and does not bind a call to its account', async () => {
    const channel = await at.world.addChannel({ ...at.keys('k32'), models: 'gpt-4.1', priority: 9 })
    const message = { type: 'message', id: 'msg_k', role: 'assistant', content: [{ type: 'output_text', text: 'hm' }] }
    at.vendor.extra = { output: [{ type: 'reasoning', id: 'rs_kept', summary: [] }, message] }
    const first = await turn('gpt-4.1', 'one')
    at.vendor.extra = {}
    await at.world.changeChannel(channel, { status: 2 })
    await turn('gpt-4.1', 'two', first)
    expect(JSON.stringify(at.vendor.last.body)).not.toMatch(/rs_kept|msg_k\b/)
    expect(JSON.stringify(at.vendor.last.body)).toContain('hm')
  })

  test('what is held and counted is the whole prompt', async () => {
    const { key } = await at.world.addPayer(20_000)
    const poor = { ...at.ann, key }
    const whole = 'word '.repeat(40_000)
    const first = await turn(claude, whole)
    const limits = { max_output_tokens: 16, previous_response_id: first.id }
    const { input_tokens: tokens } = await responses().inputTokens.count({
      model: claude,
      input: 'two',
      previous_response_id: first.id,
    })
    expect(tokens).toBeWithin(30_000, 60_000)
    const rich = await at.world.addToken(at.ann.userId, { unlimited_quota: 0, remain_quota: 20_000 })
    const refused = await respond({ model: claude, input: 'two', ...limits }, { ...at.ann, key: rich })
    expect(refused.status).toBe(403)
    expect((await respond({ model: claude, input: 'two', max_output_tokens: 16 }, poor)).status).toBe(200)
  })

  test('a response of another user is not found, in the words of one that never was', async () => {
    const { id } = await turn(claude, 'secret')
    const limited = await at.aLimitedKey()
    for (const other of [at.ben, limited]) {
      const refusals = async (name: string) => {
        const get = await fetch(`${at.world.url}/v1/responses/${name}`, {
          headers: { authorization: `Bearer ${other.key}` },
        })
        const items = await fetch(`${at.world.url}/v1/responses/${name}/input_items`, {
          headers: { authorization: `Bearer ${other.key}` },
        })
        const removal = await fetch(`${at.world.url}/v1/responses/${name}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${other.key}` },
        })
        const next = await respond({ model: claude, input: 'go on', previous_response_id: name }, other)
        const errors = await Promise.all([get, items, removal, next].map(errorIn))
        return errors.map(({ message, ...error }) => ({
          ...error,
          message: message.replace(name, 'it').replace(/\(request id: \w+\)/, ''),
        }))
      }
      const refused = await refusals(id)
      expect(refused).toEqual(await refusals('resp_never'))
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 400])
    }
    expect((await responses().retrieve(id)).id).toBe(id)
  })

  const get = (path: string) => fetch(at.world.url + path, { headers: { authorization: `Bearer ${at.ann.key}` } })

  test('a deleted response cannot be read or continued, here and at its vendor, and neither can what was built on it', async () => {
    for (const model of ['gpt-4.1', claude]) {
      const first = await turn(model, 'one')
      const second = await turn(model, 'two', first)
      const third = await turn(model, 'three', second)
      expect(await responses().delete(second.id)).toMatchObject({ id: second.id, deleted: true })
      expect(await errorIn(await get(`/v1/responses/${second.id}`))).toMatchObject({ status: 404, code: 'turn.none' })
      const next = await respond({ model, input: 'x', previous_response_id: second.id })
      expect(await errorIn(next)).toMatchObject({ status: 400, code: 'previous_response_not_found' })
      expect((await responses().retrieve(third.id)).id).toBe(third.id)
      expect((await turn(model, 'x', first)).status).toBe('completed')
      const elsewhere = await respond({ model: models.gemini, input: 'x', previous_response_id: third.id })
      expect(await errorIn(elsewhere)).toMatchObject({
        status: 400,
        code: 'previous_response_not_found',
        message: expect.stringContaining('was deleted or has expired'),
      })
    }
  })

  test('nothing of a call that wants nothing stored is kept, nor where the site keeps no turns', async () => {
    const countTurns = async () =>
      (await at.world.ctx.database.query.selectFrom('response_turns').select('id_hash').execute()).length
    await isWritten()
    const before = await countTurns()
    const unstored = await responses().create({ model: claude, input: 'x', store: false })
    const { id } = unstored
    expect(unstored).toMatchObject({ store: false })
    expect(await errorIn(await get(`/v1/responses/${id}`))).toMatchObject({ status: 404 })
    await at.world.setOptions({ ResponseTurnsEnabled: 'false' })
    const off = await turn(claude, 'x')
    expect(off).toMatchObject({ store: false })
    expect(await errorIn(await respond({ model: claude, input: 'y', previous_response_id: off.id }))).toMatchObject({
      status: 400,
    })
    expect((await at.world.post('/v1/conversations', {}, { key: at.ann.key })).status).toBe(501)
    await at.world.setOptions({ ResponseTurnsEnabled: 'true', ResponseTurnKilobytes: '1' })
    const large = await turn(claude, 'x'.repeat(2000))
    await at.world.setOptions({ ResponseTurnKilobytes: '8192' })
    expect(await errorIn(await get(`/v1/responses/${large.id}`))).toMatchObject({ status: 404 })
    await isWritten()
    expect(await countTurns()).toBe(before)
  })

  test('turns are kept for the days and the bytes that the site wants', async () => {
    await at.world.setOptions({ ResponseTurnDays: '2', ResponseTurnUserMegabytes: '1' })
    const { userId, key } = await at.world.addPayer(1e9)
    const rows = () =>
      at.world.ctx.database.query.selectFrom('response_turns').selectAll().where('user_id', '=', userId).execute()
    for (let count = 0; count < 4; count += 1)
      await responses({ ...at.ann, key }).create({ model: claude, input: 'x'.repeat(400_000) })
    await isWritten()
    const stored = await eventually(async () => ((await rows()).length === 2 ? rows() : null))
    const expected = at.world.ctx.clock.seconds() + 2 * 86_400
    for (const { expires_at: expiresAt } of stored) expect(expiresAt).toBeWithin(expected - 600, expected + 1)
    await at.world.setOptions({ ResponseTurnDays: '7', ResponseTurnUserMegabytes: '128' })
  })

  test('what is stored can be read by no one but the gateway', async () => {
    await turn(claude, 'a very secret word')
    await isWritten()
    const rows = await at.world.ctx.database.query.selectFrom('response_turns').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/secret|Forty-two|resp_/)
  })

  test('a turn that another worker served a moment ago is found, and one that was deleted there is not', async () => {
    const { ctx } = at.world
    await using cleanUp = new AsyncDisposableStack()
    const own = {
      turns: createTurns({ ...ctx, limits: () => turnLimits(ctx.catalog.current.options) }),
      vendorObjects: createVendorObjects({ ...ctx, onDropped: () => {} }),
    }
    cleanUp.defer(async () => {
      await own.turns.close()
      await own.vendorObjects.close()
    })
    const onOther = at.anotherWorker(own)
    const first = await turn(claude, 'one')
    const next = (await (await onOther({ model: claude, previous_response_id: first.id })).json()) as { id: string }
    expect(JSON.stringify(at.vendor.last.body)).toContain('one')
    expect((await responses().retrieve(next.id)).id).toBe(next.id)
    await responses().delete(next.id)
    expect((await onOther({ model: claude, previous_response_id: next.id })).status).toBe(400)
    const stored = await turn('gpt-4.1', 'one')
    expect((await onOther({ model: 'gpt-4.1', previous_response_id: stored.id })).status).toBe(200)
    ctx.changes.listen((news) => {
      for (const { topic, refId } of news) if (topic === 'objects') own.vendorObjects.refresh(refId)
    })
    await responses().delete(stored.id)
    expect((await onOther({ model: 'gpt-4.1', previous_response_id: stored.id })).status).toBe(400)
  })

  test('a stream is stored as its last event tells it', async () => {
    const text = await (await respond({ model: 'gpt-4.1', input: 'one', stream: true })).text()
    const { response } = JSON.parse(text.slice(text.lastIndexOf('data: ') + 6)) as { response: JsonObject }
    const turn = await at.world.ctx.turns.find({ userId: at.ann.userId, tokenId: null }, String(response['id']))
    expect(turn?.response).toEqual({ ...response, previous_response_id: null, store: true })
  })

  test('a response in the background goes on from one that is kept here, and can be continued', async () => {
    const first = await turn(claude, 'one')
    const created = await responses().create({
      model: claude,
      input: 'two',
      previous_response_id: first.id,
      background: true,
    })
    await eventually(async () => ((await responses().retrieve(created.id)).status === 'completed' ? true : null))
    expect(JSON.stringify(at.vendor.last.body)).toContain('one')
    const list = await eventually(async () => {
      const response = await get(`/v1/responses/${created.id}/input_items?order=asc`)
      return response.ok ? ((await response.json()) as { data: unknown[] }) : null
    })
    expect(list.data).toHaveLength(3)
    await turn(models.gemini, 'three', created)
    expect(JSON.stringify(at.vendor.last.body)).toMatch(/one.*two.*three/)
    await responses().delete(created.id)
    expect((await respond({ model: claude, input: 'x', previous_response_id: created.id })).status).toBe(400)
  })

  test('input that a call names twice, or wrongly, is refused in the words of its dialect', async () => {
    const conversation = await client().conversations.create()
    const both = await respond({
      model: claude,
      input: 'x',
      previous_response_id: 'resp_1',
      conversation: conversation.id,
    })
    expect(await errorIn(both)).toMatchObject({ status: 400, message: expect.stringContaining('Mutually exclusive') })
    expect(isObject(await (await respond({ model: claude, input: 'x', previous_response_id: 7 })).json())).toBe(true)
    for (const store of ['false', 0, [], {}])
      expect(await errorIn(await respond({ model: claude, input: 'x', store }))).toMatchObject({
        status: 400,
        code: 'invalid_type',
      })
  })
})
