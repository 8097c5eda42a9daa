import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { accountRoutes, tokenRoutes, userRoutes } from '@tollgate/contract'

import { call, type CallResponse } from './call'
import { chargeOf, until } from './ledger-view'
import { aPayer } from './payer'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const model = 'gpt-4o'
const messages = [{ role: 'user', content: 'hello' }]
const used = { promptTokens: 100, tokens: 10 }
const funds = 1_000_000

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } } })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

/** Makes a stream and changes something in the middle of it. */
async function changedInTheMiddle(key: string, change: () => Promise<unknown>): Promise<CallResponse> {
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ ...used, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
  const response = call(world.gateway, key, { model, messages, stream: true })
  await world.simulator.arrival(1)
  await change()
  gate.resolve()
  return response
}

/** Makes a stream whose caller loses access after its first words; the stream never continues by itself. */
async function cutInTheMiddle(key: string, change: () => Promise<unknown>) {
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ ...used, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
  const response = await fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, stream: true }),
  })
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const hadWords = text.includes('"content"')
    text += part
    if (!hadWords && text.includes('"content"')) await change()
  }
  gate.resolve()
  return { text, requestId: response.headers.get('x-request-id') ?? '' }
}

const plainCall = (key: string) => call(world.gateway, key, { model, messages })

async function expectWholeAndCharged(reply: CallResponse, quota: number): Promise<void> {
  expect(reply.text).toEndWith('data: [DONE]\n\n')
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...row
  } = await chargeOf(world.console, reply.requestId)
  expect([prompt, completion, row.quota]).toEqual([100, 10, quota])
}

/** Checks that the stream had content when it was cut. */
async function expectCutAndCharged(reply: Pick<CallResponse, 'text' | 'requestId'>): Promise<void> {
  expect(reply.text).toContain('"caller.revoked"')
  expect(reply.text).not.toContain('[DONE]')
  const { quota } = await chargeOf(world.console, reply.requestId)
  expect(quota).toBeWithin(1, 110)
}

test('a price changed during a call applies from the next call on', async () => {
  const reply = await changedInTheMiddle(world.key, async () => {
    await world.console.setOptions({ ModelRatio: { [model]: 3 } })
    world.simulator.when(() => true, used)
    const dearer = async () => (await chargeOf(world.console, (await plainCall(world.key)).requestId)).quota
    expect(await until(dearer, (quota) => quota === 330)).toBe(330)
  })
  await world.console.setOptions({ ModelRatio: { [model]: 1 } })
  await expectWholeAndCharged(reply, 110)
})

test('a token deleted during its stream ends the stream, is charged for what arrived, and is refused afterwards', async () => {
  const payer = await aPayer(world.gateway.url, world.console, 'deleter', funds)
  const key = await payer.addToken({ name: 'short-lived' })
  const reply = await cutInTheMiddle(key, async () => {
    const [token] = (await payer.call(tokenRoutes.listTokens, { query: { p: 0, page_size: 10 } })).items
    await payer.call(tokenRoutes.deleteToken, { params: { id: token?.id ?? 0 } })
    expect(
      (
        await until(
          () => plainCall(key),
          ({ status }) => status !== 200,
        )
      ).status,
    ).toBe(401)
  })
  await expectCutAndCharged(reply)
})

test('a ban also ends the console session of a user', async () => {
  const payer = await aPayer(world.gateway.url, world.console, 'banned-session', funds)
  const key = await payer.addToken({ name: 'key' })
  const getRefusal = async () =>
    payer.call(accountRoutes.getSelf).then(
      () => null,
      (error: unknown) => error,
    )
  const reply = await cutInTheMiddle(key, async () => {
    expect(await getRefusal()).toBeNull()
    await world.console.call(userRoutes.manageUser, { body: { id: payer.userId, action: 'disable' } })
    expect(await getRefusal()).toMatchObject({ status: 401 })
  })
  await expectCutAndCharged(reply)
})

test('a user banned during a stream is cut off, charged for what arrived, and refused afterwards', async () => {
  const payer = await aPayer(world.gateway.url, world.console, 'banned', funds)
  const key = await payer.addToken({ name: 'key' })
  const reply = await cutInTheMiddle(key, async () => {
    await world.console.call(userRoutes.manageUser, { body: { id: payer.userId, action: 'disable' } })
    expect(
      (
        await until(
          () => plainCall(key),
          ({ status }) => status !== 200,
        )
      ).status,
    ).toBe(403)
  })
  await expectCutAndCharged(reply)
})
