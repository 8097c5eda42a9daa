import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { tokenRoutes, userRoutes } from '@tollgate/contract'

import { call, type Answered } from './call'
import { chargeOf, until } from './ledger-view'
import { aPayer } from './payer'
import { aWorld, type World } from './world'

// above every time limit inside, so that the reason is told
setDefaultTimeout(30_000)

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

/** A stream in the middle of which something changes. */
async function changedInTheMiddle(key: string, change: () => Promise<unknown>): Promise<Answered> {
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ ...used, gate: (frame) => (frame === 5 ? gate.promise : undefined) })
  const answer = call(world.gateway, key, { model, messages, stream: true })
  await world.simulator.arrival(1)
  await change()
  gate.resolve()
  return answer
}

const plainCall = (key: string) => call(world.gateway, key, { model, messages })

async function expectWholeAndCharged(answered: Answered, quota: number): Promise<void> {
  expect(answered.text).toEndWith('data: [DONE]\n\n')
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...row
  } = await chargeOf(world.console, answered.requestId)
  expect([prompt, completion, row.quota]).toEqual([100, 10, quota])
}

test('a price that changes in the middle of a call holds from the next call on', async () => {
  const answered = await changedInTheMiddle(world.key, async () => {
    await world.console.setOptions({ ModelRatio: { [model]: 3 } })
    world.simulator.when(() => true, used)
    const dearer = async () => (await chargeOf(world.console, (await plainCall(world.key)).requestId)).quota
    expect(await until(dearer, (quota) => quota === 330)).toBe(330)
  })
  await world.console.setOptions({ ModelRatio: { [model]: 1 } })
  await expectWholeAndCharged(answered, 110)
})

test('a key that is deleted in the middle of a call is charged for it and refused from then on', async () => {
  const payer = await aPayer(world.gateway.url, world.console, 'deleter', funds)
  const key = await payer.addToken({ name: 'short-lived' })
  const answered = await changedInTheMiddle(key, async () => {
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
  await expectWholeAndCharged(answered, 110)
})

test('a user who is banned in the middle of a call is charged for it and refused from then on', async () => {
  const payer = await aPayer(world.gateway.url, world.console, 'banned', funds)
  const key = await payer.addToken({ name: 'key' })
  const answered = await changedInTheMiddle(key, async () => {
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
  await expectWholeAndCharged(answered, 110)
})
