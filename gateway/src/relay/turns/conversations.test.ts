import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { isObject, type JsonObject } from '@tollgate/dialects'
import OpenAI from 'openai'

import { eachDatabase } from '../../../test/databases'
import { eventually } from '../../../test/eventually'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'
import { sha256 } from '../../platform/store/seal'

type Caller = ObjectWorld['ann']
type Item = OpenAI.Conversations.ConversationItem

const models = ['gpt-4.1', 'deepseek-chat', 'claude-sonnet-4-5', 'gemini-2.5-flash']
const claude = 'claude-sonnet-4-5'

const textOf = (item: Item): unknown => {
  const [part] = 'content' in item && Array.isArray(item.content) ? item.content : []
  return isObject(part) ? part['text'] : undefined
}

describe.each(eachDatabase)('conversations (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database, { withTurns: true })
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.received = []
    at.vendor.extra = {}
  })

  const client = ({ key }: Caller = at.ann) => new OpenAI({ apiKey: key, baseURL: `${at.world.url}/v1`, maxRetries: 0 })
  const conversations = (caller?: Caller) => client(caller).conversations
  const respond = (conversation: string, input: string, model = claude, more: object = {}) =>
    client().responses.create({ model, input, conversation, ...more })
  const textsIn = async (conversation: string) => {
    const texts: unknown[] = []
    for await (const item of conversations().items.list(conversation, { order: 'asc', limit: 2 }))
      texts.push(textOf(item))
    return texts
  }
  const aMessage = (content: string) => ({ role: 'user' as const, content })
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: unknown) => (error instanceof OpenAI.APIError ? error.status : 0),
    )

  test('a conversation is made with items and metadata, read, changed and deleted', async () => {
    const created = await conversations().create({ metadata: { topic: 'demo' }, items: [aMessage('hello')] })
    expect(created).toMatchObject({ object: 'conversation', metadata: { topic: 'demo' } })
    expect(created.id).toMatch(/^conv_/)
    expect(await conversations().retrieve(created.id)).toEqual(created)
    expect(await conversations().update(created.id, { metadata: { topic: 'other' } })).toEqual({
      ...created,
      metadata: { topic: 'other' },
    })
    expect((await conversations().retrieve(created.id)).metadata).toEqual({ topic: 'other' })
    expect(await textsIn(created.id)).toEqual(['hello'])
    expect(await conversations().delete(created.id)).toEqual({
      id: created.id,
      object: 'conversation.deleted',
      deleted: true,
    })
    expect(await statusOf(conversations().retrieve(created.id))).toBe(404)
    expect(await statusOf(respond(created.id, 'x'))).toBe(404)
    const { query } = at.world.ctx.database
    expect(await query.selectFrom('conversation_items').select('id').execute()).toEqual([])
  })

  test('items of a conversation are added, listed in pages, read and deleted', async () => {
    const { id } = await conversations().create()
    const added = await conversations().items.create(id, {
      items: [aMessage('one'), aMessage('two'), aMessage('three')],
    })
    expect(added).toMatchObject({ object: 'list', has_more: false, data: [{ type: 'message', role: 'user' }, {}, {}] })
    const [, second] = added.data
    const secondId = String(second?.id)
    expect(await conversations().items.retrieve(secondId, { conversation_id: id })).toEqual(second as Item)
    expect((await conversations().items.list(id, { limit: 1 })).data.map(textOf)).toEqual(['three'])
    expect((await conversations().items.list(id, { after: secondId })).data.map(textOf)).toEqual(['one'])
    expect(await conversations().items.delete(secondId, { conversation_id: id })).toMatchObject({ id })
    expect(await textsIn(id)).toEqual(['one', 'three'])
    expect(await statusOf(conversations().items.retrieve(secondId, { conversation_id: id }))).toBe(404)
    expect(await statusOf(conversations().items.delete(secondId, { conversation_id: id }))).toBe(404)
    const stored = await at.world.ctx.database.query.selectFrom('conversation_items').selectAll().execute()
    expect(JSON.stringify(stored)).not.toMatch(/one|msg_/)
  })

  test.each(models)('a call with %s is sent what was said, and adds what it says', async (model) => {
    const { id } = await conversations().create({ items: [aMessage('zero')] })
    const first = await respond(id, 'one', model)
    expect(first.conversation).toEqual({ id })
    const unstored = await respond(id, 'two', model, { store: false })
    const sent = at.vendor.last.body
    expect(await statusOf(client().responses.retrieve(unstored.id))).toBe(404)
    expect(sent).not.toHaveProperty('conversation')
    const input = [
      aMessage('zero'),
      aMessage('one'),
      ...first.output,
      aMessage('two'),
    ] as OpenAI.Responses.ResponseInput
    await client().responses.create({ model, input, store: false })
    // An account is not sent the ids that another one gave to items.
    const withoutIds = (body: JsonObject) => JSON.stringify(body).replaceAll(/"id":"msg_\d+",?/g, '')
    expect(withoutIds(sent)).toBe(withoutIds(at.vendor.last.body))
    expect(await textsIn(id)).toEqual(['zero', 'one', 'Forty-two', 'two', 'Forty-two'])
    expect(await client().responses.retrieve(first.id)).toMatchObject({ id: first.id, conversation: { id } })
    expect(
      (await client().responses.inputTokens.count({ model, conversation: id, input: 'three' })).input_tokens,
    ).toBeGreaterThan(15)
  })

  test('streams have added what they say when they end', async () => {
    const { id } = await conversations().create()
    for (const model of models) {
      await client()
        .responses.stream({ model, input: `to ${model}`, conversation: id })
        .finalResponse()
      expect((await textsIn(id)).slice(-2)).toEqual([`to ${model}`, 'Forty-two'])
    }
  })

  test('calls at the same time each add what they say in one piece', async () => {
    const { id } = await conversations().create()
    const names = Array.from({ length: 12 }, (_, index) => `call ${index}`)
    await Promise.all(names.map((name, index) => respond(id, name, models[index % models.length])))
    const texts = await textsIn(id)
    expect(texts.filter((_, index) => index % 2 === 1)).toEqual(names.map(() => 'Forty-two'))
    expect(new Set(texts.filter((_, index) => index % 2 === 0))).toEqual(new Set(names))
  })

  test('a call in the background adds what it says once it was charged', async () => {
    const { id } = await conversations().create({ items: [aMessage('zero')] })
    await respond(id, 'later', claude, { background: true })
    await eventually(async () => ((await textsIn(id)).length === 3 ? true : null))
    expect(await textsIn(id)).toEqual(['zero', 'later', 'Forty-two'])
  })

  test('conversations belong to their user, or to their key where it is limited to some models', async () => {
    const { id } = await conversations().create({ items: [aMessage('secret')] })
    const [item] = (await conversations().items.list(id)).data
    const params = { conversation_id: id }
    for (const caller of [at.ben, await at.aLimitedKey()]) {
      const theirs = conversations(caller)
      const statuses = [
        theirs.retrieve(id),
        theirs.update(id, { metadata: {} }),
        theirs.delete(id),
        theirs.items.list(id),
        theirs.items.create(id, { items: [aMessage('x')] }),
        theirs.items.retrieve(String(item?.id), params),
        theirs.items.delete(String(item?.id), params),
        client(caller).responses.create({ model: claude, input: 'x', conversation: id }),
        client(caller).responses.inputTokens.count({ model: claude, conversation: id }),
      ].map(statusOf)
      expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404])
    }
    expect(await textsIn(id)).toEqual(['secret'])
  })

  test('faulty items and metadata are refused', async () => {
    const post = (path: string, body: JsonObject) => at.world.post(path, body, { key: at.ann.key })
    const many = Array.from({ length: 21 }, () => aMessage('x'))
    const refused = [
      post('/v1/conversations', { items: 'x' }),
      post('/v1/conversations', { items: many }),
      post('/v1/conversations', { metadata: { a: 1 } }),
      post('/v1/conversations', { metadata: { ['x'.repeat(65)]: '' } }),
    ]
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([400, 400, 400, 400])
    const { id } = await conversations().create()
    expect((await post(`/v1/conversations/${id}/items`, { items: [] })).status).toBe(400)
    expect((await post(`/v1/conversations/${id}/items`, { items: [1] })).status).toBe(400)
    const put = await fetch(`${at.world.url}/v1/conversations/${id}`, { method: 'PUT' })
    expect(put.status).toBe(405)
  })

  test('a conversation in which no call could go on takes no more items', async () => {
    const { id } = await conversations().create({ items: [aMessage('x')] })
    const bytes = at.world.ctx.config.maxRequestBodyBytes + 1
    await at.world.ctx.database.query
      .updateTable('conversations')
      .set({ bytes })
      .where('id_hash', '=', sha256(id))
      .execute()
    expect(await statusOf(respond(id, 'y'))).toBe(413)
    expect(await statusOf(conversations().items.create(id, { items: [aMessage('y')] }))).toBe(413)
    expect(await textsIn(id)).toEqual(['x'])
    await conversations().delete(id)
  })

  test('a user who leaves takes conversations and turns along', async () => {
    const { userId, key } = await at.world.addPayer(1e9)
    const guest = { ...at.ann, key }
    const { id } = await conversations(guest).create({ items: [aMessage('x')] })
    await client(guest).responses.create({ model: claude, input: 'x', conversation: id })
    const { removeTurnsOf } = await import('../../channels/turns/turn-rows')
    const { query } = at.world.ctx.database
    const count = async () =>
      Promise.all(
        (['response_turns', 'conversations'] as const).map(
          async (table) =>
            (await query.selectFrom(table).select('id_hash').where('user_id', '=', userId).execute()).length,
        ),
      )
    await eventually(async () => ((await count()).every((rows) => rows === 1) ? true : null))
    const items = async () => (await query.selectFrom('conversation_items').select('id').execute()).length
    const before = await items()
    await removeTurnsOf(userId, query)
    expect(await count()).toEqual([0, 0])
    expect(await items()).toBe(before - 2)
  })
})
