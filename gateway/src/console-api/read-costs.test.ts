import { afterAll, beforeAll, expect, test } from 'bun:test'

import { role } from '@tollgate/contract'

import { handlers } from '../../test/all-handlers'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../test/console-client'
import { recordStatements } from '../../test/record-statements'
import { createWorld, type World } from '../../test/world'

let world: World
let site: TestConsole
let as: SignedIn
beforeAll(async () => {
  world = await createWorld()
  site = createTestConsole(world.ctx, handlers)
  await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  as = await site.signIn((await anAccount(world.ctx, { role: role.root })).id)
})
afterAll(() => world[Symbol.asyncDispose]())

/** What workers do every few hundred milliseconds, calls or not. */
const periodic = /"(?:changes|leases|locks|workers)"/

/** What every page asks, and the largest lists. Far from its database each statement is a wait of its own. */
test.each([
  ['/api/status', 0],
  ['/api/user/self', 5],
  ['/api/user/messages/unread_count', 2],
  ['/api/pricing', 1],
  ['/api/log', 3],
  ['/api/log/self', 3],
  ['/api/channel', 3],
  ['/api/token', 3],
  ['/api/user', 6],
])('reading %s takes at most %d statements', async (path, max) => {
  // The first reading may look up what is kept afterwards.
  await site.send('GET', path, { as })
  const groups = recordStatements(world.ctx.database)
  const response = await site.send('GET', path, { as })
  expect(response.status).toBe(200)
  const statements = groups.flat().filter((sql) => !periodic.test(sql))
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(max)
})
