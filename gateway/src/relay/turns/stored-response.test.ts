import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'
import OpenAI from 'openai'

import { eachDatabase } from '../../../test/databases'
import { createObjectWorld, type ObjectWorld } from '../../../test/object-world'

type Input = OpenAI.Responses.ResponseInput

const errorIn = async (response: Response) => {
  const { error } = (await response.json()) as { error?: JsonObject }
  return { status: response.status, code: error?.['code'] }
}

const claude = 'claude-sonnet-4-5'

describe.each(eachDatabase)('stored responses (%s)', (database) => {
  let at: ObjectWorld
  beforeAll(async () => {
    at = await createObjectWorld(database, { withTurns: true })
  }, 120_000)
  afterAll(() => at[Symbol.asyncDispose]())
  beforeEach(() => {
    at.vendor.deleted = []
    at.vendor.deletionStatus = 200
  })

  const responses = () => new OpenAI({ apiKey: at.ann.key, baseURL: `${at.world.url}/v1`, maxRetries: 0 }).responses
  const turn = (model: string, input: string | Input, previous?: OpenAI.Responses.Response) =>
    responses().create({ model, input, ...(previous && { previous_response_id: previous.id }) })
  const aMessage = (content: string): Input[number] => ({ role: 'user', content })
  const get = (path: string) => fetch(at.world.url + path, { headers: { authorization: `Bearer ${at.ann.key}` } })

  test('a response is read again as it was answered, with the items that it was made from', async () => {
    const first = await responses().create({
      model: claude,
      input: [aMessage('one'), { role: 'developer', content: 'briefly' }],
      metadata: { a: 'b' },
    })
    const second = await turn(claude, 'two', first)
    const { output_text: _, ...original } = second
    expect(await responses().retrieve(second.id)).toMatchObject(original)
    const texts = (items: readonly unknown[]) =>
      items.map((item) => {
        const { content } = item as { content: { text: string }[] }
        return content[0]?.text
      })
    const page = await responses().inputItems.list(second.id, { limit: 2 })
    expect(texts(page.data)).toEqual(['two', 'Forty-two'])
    expect(page.has_more).toBe(true)
    const all = []
    for await (const item of responses().inputItems.list(second.id, { limit: 1, order: 'asc' })) all.push(item)
    expect(texts(all)).toEqual(['one', 'briefly', 'Forty-two', 'two'])
    expect(new Set(all.map(({ id }) => id)).size).toBe(4)
    const [, before] = all
    const list = await responses().inputItems.list(second.id, {
      order: 'asc',
      ...({ before: before?.id } as object),
    })
    expect(texts(list.data)).toEqual(['one'])
    expect(await errorIn(await get(`/v1/responses/${second.id}/input_items?after=msg_no`))).toMatchObject({
      status: 404,
    })
    expect(await errorIn(await get(`/v1/responses/${second.id}/input_items?limit=0`))).toMatchObject({ status: 400 })
    const cancelled = await at.world.post(`/v1/responses/${second.id}/cancel`, {}, { key: at.ann.key })
    expect(await errorIn(cancelled)).toMatchObject({ status: 400, code: 'turn.finished' })
  })

  test('a response that a vendor has is deleted there with its key, and any other calls no vendor', async () => {
    const { id } = await turn('gpt-4.1', 'one')
    const { key } = at.vendor.last
    await responses().delete(id)
    const other = await turn(claude, 'one')
    await responses().delete(other.id)
    expect(at.vendor.deleted).toEqual([{ key, path: `/v1/responses/${id}` }])
  })

  test.each([404, 405, 401])('a vendor that refuses a deletion by %i does not keep it here', async (status) => {
    const { id } = await turn('gpt-4.1', 'one')
    at.vendor.deletionStatus = status
    await responses().delete(id)
    expect(await errorIn(await get(`/v1/responses/${id}`))).toMatchObject({ status: 404 })
  })

  test('a deletion that a vendor cannot make now is refused, and can be tried again', async () => {
    const { id } = await turn('gpt-4.1', 'one')
    at.vendor.deletionStatus = 503
    const remove = () =>
      fetch(`${at.world.url}/v1/responses/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${at.ann.key}` },
      })
    expect((await remove()).status).toBeGreaterThanOrEqual(500)
    expect((await responses().retrieve(id)).id).toBe(id)
    at.vendor.deletionStatus = 200
    expect((await remove()).status).toBe(200)
    expect(at.vendor.deleted).toHaveLength(2)
  })

  test('a stored response is streamed again, behind the event that a client has read', async () => {
    const first = await turn(claude, 'one')
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await responses().retrieve(first.id, { stream: true })) events.push(event)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    const { output_text: _, ...original } = first
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: original })
    const rest: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await responses().retrieve(first.id, { stream: true, starting_after: 2 }))
      rest.push(event)
    expect(rest).toEqual(events.slice(3))
    const whole = await responses().stream({ response_id: first.id, starting_after: 0 }).finalResponse()
    expect(whole.output_text).toBe(first.output_text)
    for (const after of ['x', '-1', '1e3', ''])
      expect(await errorIn(await get(`/v1/responses/${first.id}?stream=true&starting_after=${after}`))).toMatchObject({
        status: 400,
      })
  })
})
