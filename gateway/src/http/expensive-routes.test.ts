import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileRoute } from '@tollgate/contract'
import { Glob } from 'bun'

import { handlers as allHandlers } from '../../test/all-handlers'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../test/console-client'
import { createWorld, type World } from '../../test/world'
import { MemoryLimiter } from './limits/limiter'
import { handler } from './handler'
import { textStream } from './response/text-stream'

let world: World
let site: TestConsole
let one: SignedIn
let other: SignedIn
let startedCount = 0
beforeAll(async () => {
  world = await createWorld()
  async function* parts() {
    startedCount += 1
    yield 'first line\n'
    yield 'second line\n'
  }
  const table = fileRoute({
    method: 'GET',
    path: '/api/table',
    access: 'user',
    media: 'text/csv',
    limit: 'export',
    summary: '',
  })
  site = createTestConsole(
    world.ctx,
    [handler(table, () => Promise.resolve({ name: 'a.csv', body: textStream(parts(), () => {}) }))],
    { limiter: new MemoryLimiter(() => 0) },
  )
  one = await site.signIn((await anAccount(world.ctx)).id)
  other = await site.signIn((await anAccount(world.ctx)).id)
})
afterAll(() => world[Symbol.asyncDispose]())

test('a user’s exports follow one another, however each ends, and do not wait for those of others', async () => {
  const read = (as: SignedIn) => site.send('GET', '/api/table', { as })
  const first = (await read(one)).body?.getReader()
  await first?.read()
  const [second, third] = [read(one), read(one)]
  expect(await (await read(other)).text()).toBe('first line\nsecond line\n')
  expect(startedCount).toBe(2)
  await first?.cancel()
  expect(await (await second).text()).toBe('first line\nsecond line\n')
  expect(await (await third).text()).toBe('first line\nsecond line\n')
})

test('every table of the console API is an export, of which a user has one at a time', () => {
  const tables = allHandlers.map(({ route }) => route).filter(({ media }) => media === 'text/csv')
  expect(tables.length).toBeGreaterThan(5)
  expect(tables.filter(({ limit }) => limit !== 'export').map(({ path }) => path)).toEqual([])
})

test('the description of the API counts against the limit of an address, and is compressed', async () => {
  const read = () =>
    site.send('GET', '/api/openapi.json', { address: '192.0.2.7', headers: { 'accept-encoding': 'gzip' } })
  const document = await read()
  expect(document.headers.get('content-encoding')).toBe('gzip')
  const bytes = await document.bytes()
  expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)))).toMatchObject({ openapi: '3.1.0' })
  for (let call = 1; call < 600; call += 1) expect((await read()).status).toBe(200)
  const refused = await read()
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'rate.limited' })])
})

test('passwords are hashed in one place, which queues', async () => {
  const places: string[] = []
  for (const path of new Glob('**/*.ts').scanSync(`${import.meta.dir}/..`))
    if (
      !path.endsWith('.test.ts') &&
      (await Bun.file(`${import.meta.dir}/../${path}`).text()).includes('Bun.password.')
    )
      places.push(path)
  expect(places).toEqual(['accounts/users/passwords.ts'])
})
