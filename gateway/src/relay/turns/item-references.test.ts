import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'
import OpenAI from 'openai'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'

type Caller = ObjectWorld['ann']

/** A model of each dialect that the vendor speaks. */
const translated = ['deepseek-chat', 'claude-sonnet-4-5', 'gemini-2.5-flash'] as const
const [chat, claude] = translated

describe.each(eachDatabase)('references to items (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database, { withTurns: true })
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  const responses = ({ key }: Caller = at.ann) =>
    new OpenAI({ apiKey: key, baseURL: `${at.world.url}/v1`, maxRetries: 0 }).responses
  const user = (content: string) => ({ role: 'user', content }) as const
  const reference = (id: string | undefined) => ({ type: 'item_reference', id: id ?? '' }) as const
  /** As Vercel's AI SDK goes on: it names the items of answers, and repeats what the user said. */
  const goOn = (model: string, first: OpenAI.Responses.Response, body: JsonObject = {}) =>
    responses().create({
      model,
      input: [user('one'), ...first.output.map(({ id }) => reference(id)), user('two')],
      ...body,
      stream: false,
    })
  const errorOf = async (body: JsonObject, caller = at.ann) => {
    const response = await at.respond(body, caller)
    const { error } = (await response.json()) as { error?: JsonObject }
    return [response.status, error?.['code']]
  }

  test.each(translated.map((model) => [model]))('%s is sent the items that they name', async (model) => {
    const first = await responses().create({ model, input: 'one' })
    await goOn(model, first)
    const sent = at.vendor.last.body
    await responses().create({
      model,
      input: [user('one'), ...(first.output as OpenAI.Responses.ResponseInputItem[]), user('two')],
    })
    expect(sent).toEqual(at.vendor.last.body)
    expect(JSON.stringify(sent)).toContain('Forty-two')
  })

  test('a vendor that has the items is sent their names, and every other one the items', async () => {
    const first = await responses().create({ model: 'gpt-4.1', input: 'one' })
    const [{ id } = { id: '' }] = first.output
    const { key } = at.vendor.last
    await goOn('gpt-4.1', first)
    expect(at.vendor.last).toMatchObject({ key, body: { input: [user('one'), reference(id), user('two')] } })
    for (const model of translated) {
      await goOn(model, first)
      expect(JSON.stringify(at.vendor.last.body)).toMatch(/one.*Forty-two.*two/)
      expect(JSON.stringify(at.vendor.last.body)).not.toContain('item_reference')
    }
    const own = await responses().create({ model: claude, input: 'one' })
    await goOn('gpt-4.1', own)
    expect(at.vendor.last.body['input']).toMatchObject([user('one'), { role: 'assistant' }, user('two')])
    expect(JSON.stringify(at.vendor.last.body)).not.toContain(own.output[0]?.id ?? 'none')
  })

  test('reasoning of other accounts is left out of what stands in place of references', async () => {
    const channel = await at.world.addChannel({ ...at.keys('k40'), models: 'gpt-4.1', priority: 9 })
    const message = { type: 'message', id: 'msg_r', role: 'assistant', content: [{ type: 'output_text', text: 'hm' }] }
    at.vendor.extra = { output: [{ type: 'reasoning', id: 'rs_r', summary: [] }, message] }
    const first = await responses().create({ model: 'gpt-4.1', input: 'one' })
    expect(at.vendor.last.key).toBe('k40')
    at.vendor.extra = {}
    await at.world.changeChannel(channel, { status: 2 })
    for (const model of ['gpt-4.1', ...translated]) {
      await goOn(model, first)
      expect(JSON.stringify(at.vendor.last.body)).toContain('hm')
      expect(JSON.stringify(at.vendor.last.body)).not.toMatch(/rs_r|msg_r/)
    }
  })

  test('they are counted as what they name', async () => {
    const first = await responses().create({ model: claude, input: 'one' })
    const count = async (input: OpenAI.Responses.ResponseInput) =>
      (await responses().inputTokens.count({ model: claude, input })).input_tokens
    expect(await count(first.output.map(({ id }) => reference(id)))).toBe(
      await count(first.output as OpenAI.Responses.ResponseInput),
    )
  })

  test('those of others, of deleted responses and of what was not stored are refused', async () => {
    const first = await responses().create({ model: claude, input: 'one' })
    const [{ id } = { id: '' }] = first.output
    const unstored = await responses().create({ model: claude, input: 'one', store: false })
    const body = (name: string | undefined) => ({ model: claude, input: [user('one'), reference(name), user('two')] })
    const unknown = [404, 'object.none']
    expect(await errorOf(body(unstored.output[0]?.id))).toEqual(unknown)
    expect(await errorOf(body('msg_never'))).toEqual(unknown)
    expect(await errorOf(body(id), at.ben)).toEqual(unknown)
    expect(await errorOf(body(id), await at.aLimitedKey())).toEqual(unknown)
    expect(await errorOf(body(id))).toEqual([200, undefined])
    await eventually(async () => (at.world.ctx.turns.queued === 0 ? true : null))
    expect(await errorOf(body(id))).toEqual([200, undefined])
    await responses().delete(first.id)
    expect(await errorOf(body(id))).toEqual(unknown)
    const rows = await at.world.ctx.database.query
      .selectFrom('response_turn_items')
      .leftJoin('response_turns', 'response_turns.id_hash', 'response_turn_items.turn_hash')
      .where('response_turns.id_hash', 'is', null)
      .selectAll('response_turn_items')
      .execute()
    expect(rows).toEqual([])
  })

  test('few bytes do not become many', async () => {
    const long = { type: 'output_text', text: 'x'.repeat(200_000) }
    at.vendor.extra = { output: [{ type: 'message', id: 'msg_long', role: 'assistant', content: [long] }] }
    await responses().create({ model: 'gpt-4.1', input: 'one' })
    at.vendor.extra = {}
    const references = (count: number) => ({
      model: chat,
      input: Array.from({ length: count }, () => reference('msg_long')),
    })
    expect(await errorOf(references(1001))).toEqual([400, 'object.many'])
    expect((await errorOf(references(1000)))[0]).toBe(413)
    expect((await errorOf(references(2)))[0]).toBe(200)
  })
})
