import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import { channelRoutes } from '@tollgate/contract'
import { startBatchVendor, type BatchVendor } from '@tollgate/simulator'

import { HurriedTime } from '../gateway/test/hurried-time'
import { until } from './ledger-view'
import { head, rawCall } from './raw-call'
import { aWorld, untilAllKnow, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const models = { openAi: 'gpt-4.1', anthropic: 'claude-opus-4-6' } as const
let world: World
const time = new HurriedTime()
let vendors: { readonly openAi: BatchVendor; readonly anthropic: BatchVendor }
beforeAll(async () => {
  world = await aWorld({ gateway: time.parts })
  const inner = world.simulator.url
  vendors = {
    openAi: await startBatchVendor({ kind: 'openai', inner }),
    anthropic: await startBatchVendor({ kind: 'anthropic', inner }),
  }
  const setting = JSON.stringify({ vendor_batches: 'on' })
  for (const [name, type] of [
    ['openAi', 1],
    ['anthropic', 14],
  ] as const) {
    const body = {
      name,
      type,
      models: models[name],
      key: 'sk-upstream',
      base_url: vendors[name].url,
      setting,
      group: 'default',
    }
    await world.console.call(channelRoutes.createChannel, { body })
  }
  await untilAllKnow(world.gateway, world.key, Object.values(models))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendors.openAi[Symbol.asyncDispose]()
  await vendors.anthropic[Symbol.asyncDispose]()
})

const hello = [{ role: 'user' as const, content: 'hello there' }]

test('a batch of the SDK of OpenAI is made by a vendor that has batches', async () => {
  const lines = ['a', 'b'].map((id) =>
    JSON.stringify({
      custom_id: id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: models.openAi, max_tokens: 20, messages: hello },
    }),
  )
  const { batches, files } = world.client
  const file = await files.create({ file: new File([lines.join('\n')], 'in.jsonl'), purpose: 'batch' })
  const { id } = await batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  const done = await time.hurry(
    until(
      () => batches.retrieve(id),
      ({ status }) => status === 'completed',
    ),
  )
  expect(done.request_counts).toEqual({ total: 2, completed: 2, failed: 0 })
  const text = await (await files.content(done.output_file_id ?? '')).text()
  const results = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(results).toMatchObject([
    { custom_id: 'a', response: { status_code: 200, body: { object: 'chat.completion' } } },
    { custom_id: 'b' },
  ])
  expect(vendors.openAi.requests).toContain('POST /v1/batches')
  expect(vendors.openAi.files.size).toBe(0)
})

test('a batch of the SDK of Anthropic is made by a vendor that has batches', async () => {
  const { batches } = new Anthropic({ baseURL: world.gateway.url, apiKey: world.key, maxRetries: 0 }).messages
  const params = { model: models.anthropic, max_tokens: 20, messages: hello }
  const { id } = await batches.create({ requests: [{ custom_id: 'a', params }] })
  const done = await time.hurry(
    until(
      () => batches.retrieve(id),
      ({ processing_status: status }) => status === 'ended',
    ),
  )
  expect(done.request_counts).toMatchObject({ succeeded: 1, errored: 0 })
  for await (const result of await batches.results(id))
    expect(result).toMatchObject({ custom_id: 'a', result: { type: 'succeeded', message: { type: 'message' } } })
  expect(vendors.anthropic.requests).toContain('POST /v1/messages/batches')
  expect(vendors.anthropic.batchBook.batches.size).toBe(0)
})

test('no body is waited for before its caller is known, however long it may be', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 900_000_000 }
  for (const path of ['/v1/files', '/v1/chat/completions', '/v1/messages/batches']) {
    using connection = rawCall(world.gateway, head(`POST ${path} HTTP/1.1`, headers))
    expect(await connection.until((received) => received.includes('\r\n'))).toStartWith('HTTP/1.1 401 ')
  }
})
