import { describe, expect, test, setDefaultTimeout } from 'bun:test'

import { userRoutes } from '@tollgate/contract'

import { openBooks } from './books'
import { call } from './call'
import { Console } from './console'
import { databaseKinds, freshDatabase } from './databases'
import { aWorld } from './world'

// above every time limit inside, so that the reason is told
setDefaultTimeout(30_000)

const model = 'gpt-4o'
const answerTokens = 900
const funds = 1000
const messages = [{ role: 'user', content: 'hello' }]

for (const kind of databaseKinds) {
  for (const workers of [1, 2]) {
    describe(`${kind}, ${workers} workers`, () => {
      test('of 50 calls at once on a balance for one, one is served', () => onePays(kind, workers), 60_000)
    })
  }
}

async function onePays(kind: 'sqlite' | 'postgres', workers: number): Promise<void> {
  await using database = await freshDatabase(kind)
  await using world = await aWorld({
    gateway: { workers, databaseUrl: database.url },
    simulator: { defaults: { tokens: answerTokens, promptTokens: 6, ttftMs: 50 } },
    options: { ModelRatio: { [model]: 1 }, CompletionRatio: { [model]: 1 } },
  })
  const user = await aUser(world.gateway.url, world.console)
  const key = await user.addToken({ name: 'poor' })
  const calls = Array.from({ length: 50 }, () =>
    call(world.gateway, key, { model, messages, max_tokens: answerTokens }),
  )
  const answers = await Promise.all(calls)
  const served = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status === 403)
  expect(served).toHaveLength(1)
  expect(refused).toHaveLength(49)
  for (const answer of refused) expect(answer.text).toContain('insufficient')
  expect(world.simulator.served.total.requests).toBe(1)

  await world.gateway.stop()
  await using books = openBooks(world.gateway.dataDir, database.url)
  const sums = await books.sums()
  expect(sums.charged).toBe(6 + answerTokens)
  expect(sums.leased).toBe(0)
  expect(sums.free + sums.used).toBe(sums.credited)
}

/** A user who owns `funds` and is signed in. */
async function aUser(url: string, root: Console): Promise<Console> {
  const account = { username: 'poor', password: 'also-not-real' }
  const { id } = await root.call(userRoutes.createUser, { body: account })
  await root.call(userRoutes.updateUser, { body: { id, quota: funds } })
  return Console.signIn(url, account)
}
