import { describe, expect, test } from 'bun:test'

import { route } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { FakeTime } from '../../../test/fake-time'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type WorldOptions } from '../../../test/world'
import { examineDatabase } from '../../operations/check-database'
import { checkProxy } from '../../operations/check-records'
import { pathsIn } from '../../platform/store/data-folder'
import { handler } from '../handler'

const day = 24 * 3_600_000
const forwarded = { 'x-forwarded-for': '198.51.100.7' }

async function aSite(options: WorldOptions = {}) {
  const time = new FakeTime()
  const world = await createWorld({ clock: time, ...options })
  const { ctx } = world
  const lines: unknown[] = []
  const log = Object.assign(Object.create(ctx.log) as typeof ctx.log, {
    warn: (fields: unknown) => void lines.push(fields),
  })
  const own = route({ method: 'GET', path: '/api/own', access: 'user', summary: '' })
  const site = createTestConsole({ ...ctx, log }, [handler(own, () => Promise.resolve(undefined))])
  const examine = async () => {
    const examined = await examineDatabase(ctx.config, pathsIn(ctx.config.dataDir))
    try {
      return await checkProxy(ctx.config, examined, time)
    } finally {
      await examined.database?.close()
    }
  }
  return { ...world, time, site, lines, examine, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

describe.each(kinds)('headers of a proxy that is not trusted (%s)', (kind) => {
  test('a proxy nearby that names clients is reported in the log and by the doctor, for a day', async () => {
    await using it = await aSite({ kind })
    await it.site.send('GET', '/api/none', { address: '127.0.0.1', headers: forwarded })
    const sighting = { peer: '127.0.0.1', header: 'X-Forwarded-For' }
    expect(it.lines).toEqual([sighting])
    expect(await it.examine()).toMatchObject({ level: 'warn', text: { params: sighting } })
    it.time.advance(day + 1000)
    expect(await it.examine()).toMatchObject({ level: 'ok' })
  })
})

test('a proxy is reported once an hour, however many calls it passes on', async () => {
  await using it = await aSite()
  const call = () => it.site.send('GET', '/api/none', { address: '10.0.0.2', headers: forwarded })
  await call()
  await call()
  expect(it.lines).toHaveLength(1)
  it.time.advance(3_600_000)
  await call()
  expect(it.lines).toHaveLength(2)
})

test('a proxy far away is reported when a user came through it, not when a stranger sent such a header', async () => {
  await using it = await aSite()
  const as = await it.site.signIn((await anAccount(it.ctx)).id)
  const call = { address: '203.0.113.9', headers: forwarded }
  await it.site.send('GET', '/api/own', call)
  expect(it.lines).toEqual([])
  await it.site.send('GET', '/api/own', { ...call, as })
  expect(it.lines).toHaveLength(1)
})

test('a trusted proxy is reported only where the option that believes it is off', async () => {
  await using it = await aSite({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  const call = () => it.site.send('GET', '/api/none', { address: '127.0.0.1', headers: forwarded })
  await call()
  expect(it.lines).toEqual([])
  await setOptionsIn(it.ctx, { ReverseProxyEnabled: 'false' })
  await call()
  expect(it.lines).toHaveLength(1)
  expect(await it.examine()).toMatchObject({ level: 'warn' })
})

test('a request without such a header reports nothing', async () => {
  await using it = await aSite()
  await it.site.send('GET', '/api/none', { address: '127.0.0.1' })
  expect(it.lines).toEqual([])
  expect(await it.examine()).toMatchObject({ level: 'ok' })
})
