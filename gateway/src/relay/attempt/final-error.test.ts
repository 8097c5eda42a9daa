import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { faults, type Behaviour } from '@tollgate/simulator'

import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
let otherId = 0
beforeAll(async () => {
  world = await createRelayWorld()
  otherId = await world.addChannel({ priority: 5, auto_ban: 0, key_sealed: world.ctx.seal.seal('sk-other') })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.simulator.reset()
  world.forgetHealth()
  await world.changeChannel(1, { status: 1, model_mapping: '{"gpt-4o":"name-at-the-vendor"}' })
  await world.changeChannel(otherId, { status: 2 })
})

const refusal = (status: number, message: string, code: string | null = null): Behaviour => ({
  fault: { kind: 'status', status, error: { message, type: 'invalid_request_error', code } },
})
const respondTo = (apiKey: string, behaviour: Behaviour) =>
  world.simulator.when((request) => request.apiKey === apiKey, behaviour)

const absent = refusal(404, 'The model `name-at-the-vendor` does not exist or you do not have access to it.')

describe('a model that the only upstream lacks', () => {
  test.each<[string, Behaviour]>([
    ['by a status and a sentence', absent],
    ['by a code', refusal(404, 'No.', 'model_not_found')],
    ['by a sentence alone', refusal(400, 'The model `name-at-the-vendor` does not exist')],
    ['in Chinese', refusal(400, '模型 name-at-the-vendor 不存在')],
    ['by a code with a bad request', refusal(400, 'DeploymentNotFound', 'DeploymentNotFound')],
  ])('a missing model is reported by the caller’s name for it where the vendor says so %s', async (_how, behaviour) => {
    respondTo(upstreamKey, behaviour)
    const response = await world.chat()
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toMatchObject([
      404,
      { error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } },
    ])
    expect(text).toContain('gpt-4o')
    expect(text).not.toContain('name-at-the-vendor')
  })

  test.each<[string, object, object]>([
    [
      '/v1/messages',
      { model: 'gpt-4o', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] },
      { type: 'error', error: { type: 'not_found_error' } },
    ],
    [
      '/v1beta/models/gpt-4o:generateContent',
      { contents: [{ parts: [{ text: 'hello' }] }] },
      { error: { code: 404, status: 'NOT_FOUND' } },
    ],
  ])('a missing model is reported in the dialect of %s', async (path, body, error) => {
    respondTo(upstreamKey, absent)
    const response = await world.post(path, body)
    expect([response.status, await response.json()]).toMatchObject([404, error])
  })

  test.each([
    refusal(404, 'No response found with id resp_1'),
    refusal(400, "The model's tool choice 'required' is not supported"),
  ])('another refusal does not report a missing model: %j', async (behaviour) => {
    respondTo(upstreamKey, behaviour)
    const text = await (await world.chat()).text()
    expect(text).not.toContain('model_not_found')
  })
})

describe('a model that another channel may have is not told to be missing', () => {
  const codeOf = async (pendingResponse: Promise<Response>) => {
    const response = await pendingResponse
    const { error } = (await response.json()) as { error: { code: string } }
    return [response.status, error.code]
  }

  test('the failure of the other channel is reported instead', async () => {
    await world.changeChannel(otherId, { status: 1 })
    respondTo('sk-other', faults['status-500'])
    respondTo(upstreamKey, absent)
    expect(await codeOf(world.chat())).toEqual([502, 'upstream.failed'])
  })

  test('a channel that was not tried any more is reported as unavailable', async () => {
    await world.changeChannel(otherId, { status: 1 })
    await world.setOptions({ RetryTimes: '0' })
    respondTo('sk-other', absent)
    expect(await codeOf(world.chat())).toEqual([503, 'route.no_channel'])
    await world.setOptions({ RetryTimes: '3' })
  })

  test('a call that its first channel lacks the model for is served by the other channel', async () => {
    await world.changeChannel(otherId, { status: 1 })
    respondTo('sk-other', absent)
    expect((await world.chat()).status).toBe(200)
  })
})
