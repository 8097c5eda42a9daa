import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import type { BatchVendor, BatchVendorOptions } from '@tollgate/simulator'

import { BatchWorld, chatLine, completion, message } from '../../../../test/batch-world'

const candidate = { content: { role: 'model', parts: [{ text: 'Forty-two' }] }, finishReason: 'STOP' }
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 }
const geminiResponse = () => Response.json({ candidates: [candidate], usageMetadata, modelVersion: 'gemini-2.5-flash' })

interface Vendor {
  readonly kind: BatchVendorOptions['kind']
  readonly type: number
  readonly model: string
  readonly key?: string
  readonly setting?: object
  /** A batch with fewer calls is made by the gateway. */
  readonly minLines?: number
  readonly reply: () => Response
  readonly refusal: object
  /** The submission, and what its first line is where it is a file. */
  readonly posts: readonly string[]
  readonly line: object
  /** Quota for 10 tokens at 2 dollars and 20 at 8 dollars a million (90 quota), with the price list's mode for batches, where it has one. */
  readonly cost: number
}

const vendors: readonly Vendor[] = [
  {
    kind: 'mistral',
    type: 42,
    model: 'mistral-large-latest',
    reply: completion,
    refusal: { object: 'error', message: 'no', type: 'invalid_request_error' },
    posts: ['POST /v1/files', 'POST /v1/batch/jobs'],
    line: { body: { model: 'mistral-large-latest', messages: [{ role: 'user', content: 'why?' }] } },
    cost: 90,
  },
  {
    kind: 'gemini',
    type: 24,
    model: 'gemini-2.5-flash',
    reply: geminiResponse,
    refusal: { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } },
    posts: ['POST /upload/v1beta/files', 'POST /v1beta/models/gemini-2.5-flash:batchGenerateContent'],
    line: { request: { contents: [{ role: 'user', parts: [{ text: 'why?' }] }] } },
    cost: 88,
  },
  {
    kind: 'anthropic',
    type: 14,
    model: 'claude-opus-4-6',
    reply: message,
    refusal: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } },
    posts: ['POST /v1/messages/batches'],
    line: {},
    cost: 45,
  },
  {
    kind: 'bedrock',
    type: 33,
    model: 'claude-opus-4-6',
    key: 'AKIAEXAMPLE|secret|us-east-1',
    setting: { batch_bucket: 's3://batch-bucket/batches', batch_role: 'arn:aws:iam::123456789012:role/batches' },
    minLines: 100,
    reply: message,
    refusal: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } },
    posts: ['POST /model-invocation-job'],
    line: { recordId: 'L0000000001', modelInput: { messages: [{ role: 'user', content: [{ text: 'why?' }] }] } },
    cost: 45,
  },
]

describe.each(vendors)('batches at $kind', (row) => {
  const { kind, type, model, reply, refusal, posts, line, cost, minLines = 0 } = row
  let world: BatchWorld
  let vendor: BatchVendor
  beforeAll(async () => {
    world = await BatchWorld.create('sqlite')
    await world.relay.setOptions({
      ModelRatio: JSON.stringify({ [model]: 1 }),
      CompletionRatio: JSON.stringify({ [model]: 4 }),
    })
    const { key, setting } = row
    vendor = await world.addVendor(kind, { type, models: model, ...(key && { key }), ...(setting && { setting }) })
  })
  afterEach(() => world.reset())
  afterAll(() => world[Symbol.asyncDispose]())

  const body = { model, max_tokens: 50, messages: [{ role: 'user' as const, content: 'why?' }] }
  const chat = (id: string, content = 'why?') =>
    chatLine(id, content, { body: { ...body, messages: [{ role: 'user', content }] } })
  /** Fills a batch up to what the vendor takes. */
  const more = (known: number) =>
    Array.from({ length: Math.max(0, minLines - known) }, (_, index) => chat(`more-${index}`))
  const rowOf = (id: string) =>
    world.relay.ctx.database.query.selectFrom('batches').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()

  test('chats of OpenAI are made there, in its form, at its price, and leave nothing', async () => {
    world.reply = (content) => (content === 'bad' ? Response.json(refusal, { status: 400 }) : reply())
    const { key, books } = await world.addPayer(1_000_000)
    const since = vendor.requests.length
    const lines = [chat('a'), chat('b', 'bad'), chat('c'), ...more(3)]
    const served = lines.length - 1
    const batch = await world.submit(key, lines)
    await world.runAll()
    const [sent = {}] = [...vendor.files.values()].map(({ text }): unknown => JSON.parse(text.split('\n')[0] ?? ''))
    expect(sent).toMatchObject(line)
    await world.runOut()
    const done = await world.openAi(key).batches.retrieve(batch.id)
    expect(done).toMatchObject({
      status: 'completed',
      request_counts: { total: served + 1, completed: served, failed: 1 },
    })
    const chats = { object: 'chat.completion', choices: [{ message: { content: 'Forty-two' } }] }
    const results = await world.linesOf(key, done.output_file_id)
    expect(results.slice(0, 2)).toMatchObject([
      { custom_id: 'a', response: { status_code: 200, body: chats } },
      { custom_id: 'c', response: { status_code: 200, body: chats } },
    ])
    expect(await world.linesOf(key, done.error_file_id)).toMatchObject([
      { custom_id: 'b', response: { status_code: 400, body: { error: { message: expect.stringContaining('no') } } } },
    ])
    expect(vendor.requests.slice(since).filter((call) => call.startsWith('POST'))).toEqual([...posts])
    expect(await books()).toMatchObject({ used: served * cost, held: 0 })
    expect(vendor.files.size).toBe(0)
    await world.requireClean()
  })

  test('messages of Anthropic are made there', async () => {
    world.reply = reply
    const { key, books } = await world.addPayer(1_000_000)
    const client = world.anthropic(key).messages.batches
    const count = Math.max(1, minLines)
    const requests = Array.from({ length: count }, (_, index) => ({
      custom_id: index === 0 ? 'a' : `b${index}`,
      params: body,
    }))
    const batch = await client.create({ requests })
    await world.runOut()
    const results: unknown[] = []
    for await (const result of await client.results(batch.id)) results.push(result)
    expect(results.slice(0, 1)).toMatchObject([
      { custom_id: 'a', result: { type: 'succeeded', message: { type: 'message', content: [{ text: 'Forty-two' }] } } },
    ])
    expect(await books()).toMatchObject({ used: count * cost, held: 0 })
    await world.requireClean()
  })

  test('submissions whose responses are lost are found there, and a cancelled batch is cancelled there', async () => {
    world.reply = reply
    const { key, books } = await world.addPayer(1_000_000)
    const since = vendor.requests.length
    // The file of calls, where there is one, and the batch.
    const hasFile = kind !== 'anthropic'
    vendor.cuts = hasFile ? 2 : 1
    vendor.batchBook.next('hang')
    const lines = [chat('a'), chat('b'), chat('c'), ...more(3)]
    const batch = await world.submit(key, lines)
    for (let round = 0; round < 3; round += 1) {
      await world.runAll()
      await world.wakeAll()
    }
    if (hasFile) await world.openAi(key).batches.cancel(batch.id)
    else for (const one of vendor.batchBook.batches.values()) Object.assign(one, { fate: 'at-once' })
    await world.runOut()
    const completed = hasFile ? Math.ceil(lines.length / 2) : lines.length
    expect(await rowOf(batch.id)).toMatchObject({ completed, failed: 0 })
    expect(vendor.requests.slice(since).filter((call) => posts.includes(call))).toEqual([...posts])
    expect(await books()).toMatchObject({ used: completed * cost, held: 0 })
    expect(vendor.files.size).toBe(0)
    await world.requireClean()
  })

  test('a batch that it refuses is made by the gateway', async () => {
    world.reply = reply
    const { key } = await world.addPayer(1_000_000)
    vendor.batchBook.next('refuse')
    const lines = [chat('a'), ...more(1)]
    const batch = await world.submit(key, lines)
    await world.runOut()
    expect(await rowOf(batch.id)).toMatchObject({ completed: lines.length, failed: 0 })
    expect(vendor.files.size).toBe(0)
  })

  test('a batch with fewer calls than it takes is made by the gateway', async () => {
    world.reply = reply
    const { key } = await world.addPayer(1_000_000)
    const since = vendor.requests.length
    const batch = await world.submit(key, [chat('a')])
    await world.runOut()
    expect(await rowOf(batch.id)).toMatchObject({ completed: 1, failed: 0 })
    expect(vendor.requests.length > since).toBe(minLines <= 1)
  })
})
