import { afterAll, beforeAll, beforeEach, expect, test, setDefaultTimeout } from 'bun:test'

import type OpenAI from 'openai'
import {
  APIError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  BadRequestError,
  RateLimitError,
  InternalServerError,
} from 'openai'

import { faults, type Behaviour, type FaultName } from '@tollgate/simulator'

import { aWorld, clientOf, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const chat = (client: OpenAI, model = 'gpt-4o') =>
  client.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }] })

async function failureOf(call: Promise<unknown>): Promise<APIError> {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof APIError)) throw new Error(`Not an error of the API: ${String(failure)}`)
  return failure
}

test('an unknown key is an AuthenticationError', async () => {
  const failure = await failureOf(chat(clientOf(world.gateway, 'sk-unknown')))
  expect(failure).toBeInstanceOf(AuthenticationError)
  expect(failure.status).toBe(401)
})

test('a model outside the key’s limits is a PermissionDeniedError', async () => {
  const key = await world.console.addToken({
    name: 'another key',
    model_limits_enabled: true,
    model_limits: 'gpt-4o-mini',
  })
  expect(await failureOf(chat(clientOf(world.gateway, key)))).toBeInstanceOf(PermissionDeniedError)
  expect(world.simulator.requests).toHaveLength(0)
})

test('a key without funds is a PermissionDeniedError with insufficient_quota', async () => {
  const key = await world.console.addToken({ name: 'another key', unlimited_quota: false, remain_quota: 1 })
  const failure = await failureOf(chat(clientOf(world.gateway, key)))
  expect(failure).toBeInstanceOf(PermissionDeniedError)
  expect(`${failure.code} ${failure.type}`).toContain('insufficient_quota')
})

test('a model without a channel is a NotFoundError', async () => {
  expect(await failureOf(chat(world.client, 'gpt-99'))).toBeInstanceOf(NotFoundError)
})

test('a call without messages is a BadRequestError and makes no upstream call', async () => {
  const call = world.client.post('/chat/completions', { body: { model: 'gpt-4o' } })
  expect(await failureOf(call)).toBeInstanceOf(BadRequestError)
  expect(world.simulator.requests).toHaveLength(0)
})

test('a key over its rate limit is a RateLimitError', async () => {
  const key = await world.console.addToken({
    name: 'another key',
    rate_limit_enabled: true,
    rate_limit_period: 3600,
    rate_limit_count: 1,
    rate_limit_success: 1,
  })
  const client = clientOf(world.gateway, key)
  await chat(client)
  expect(await failureOf(chat(client))).toBeInstanceOf(RateLimitError)
})

test.each([
  ['status-400', BadRequestError],
  ['status-429', RateLimitError],
  ['status-500', InternalServerError],
  ['status-503', InternalServerError],
  ['reset-before-headers', InternalServerError],
  ['malformed-json', InternalServerError],
] as const)('the upstream’s %s reaches the client as its own exception', async (fault, expected) => {
  world.simulator.when(() => true, faultOf(fault))
  expect(await failureOf(chat(world.client))).toBeInstanceOf(expected)
})

test('an error carries the request id in the header and in the sentence', async () => {
  world.simulator.next(faultOf('status-500'))
  const failure = await failureOf(chat(world.client))
  expect(failure.requestID).toBeTruthy()
  expect(failure.message).toContain(failure.requestID ?? 'nothing')
})

test('an error reveals nothing of the upstream', async () => {
  for (const fault of ['status-401', 'status-500-html', 'reset-before-headers'] as const) {
    const mend = world.simulator.when(() => true, faultOf(fault))
    const failure = await failureOf(chat(world.client))
    mend()
    const text = `${failure.message} ${JSON.stringify(failure.error)}`
    expect(text).not.toContain('sk-upstream')
    expect(text).not.toContain(String(world.simulator.port))
  }
})

function faultOf(name: FaultName): Behaviour {
  return faults[name]
}
