import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { ApiError, optionRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { aMailServer, sendMailsBy } from '../../../test/mail-server'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { optionHandlers } from './options'

describe('tests of settings', () => {
  let world: World
  let site: TestConsole
  beforeEach(async () => {
    world = await createWorld()
    site = createTestConsole(world.ctx, optionHandlers)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const outcome = async (recipient = 'root@example.com', as = role.root as number) => {
    const session = await site.signIn((await anAccount(world.ctx, { role: as })).id)
    return site
      .client(session)
      .call(optionRoutes.testMail, { body: { recipient } })
      .then(
        () => 'sent',
        (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)),
      )
  }

  test('a test mail is sent with the stored settings, bypassing the queue', async () => {
    await using server = await aMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'gate' && password === 'letter-secret'
          ? done(null, { user: username })
          : done(new Error('Invalid username or password')),
    })
    await sendMailsBy(world.ctx, server, { SMTPAccount: 'gate', SMTPToken: 'letter-secret' })
    expect(await outcome(' Root@Example.com ')).toBe('sent')
    expect(server.received).toMatchObject([{ to: ['root@example.com'], subject: 'Test mail from Tollgate' }])
    expect(await outcome('root@example.com', role.admin)).toStartWith('auth.forbidden')
    await setOptionsIn(world.ctx, { SMTPToken: 'wrong' })
    const refused = await outcome()
    expect(refused).toStartWith('mail.failed: The mail could not be sent. 127.0.0.1:')
    expect(refused).toContain('does not accept the account or its password')
    expect(server.received).toHaveLength(1)
  })

  test('a test mail reports what is wrong', async () => {
    expect(await outcome()).toBe('smtp.unset: Mail is not set up.')
    const stopped = await aMailServer()
    await stopped[Symbol.asyncDispose]()
    await sendMailsBy(world.ctx, stopped)
    expect(await outcome()).toContain(`127.0.0.1:${stopped.port} cannot be reached`)
    await using server = await aMailServer({
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('nobody') ? done(Object.assign(new Error('No such box'), { responseCode: 550 })) : done(),
    })
    await sendMailsBy(world.ctx, server)
    expect(await outcome('nobody@example.com')).toContain('does not accept the sender or the recipient')
    await setOptionsIn(world.ctx, { SMTPSSLEnabled: 'true' })
    expect(await outcome()).toContain('No trusted encrypted connection')
    for (const address of ['nobody', 'a@b', 'a@b.c\r\nBcc: d@e.f', 'a@b.c,d@e.f', 'a b@c.de', '<a@b.cd>']) {
      expect(await outcome(address)).toBe('email.invalid: This is not a valid email address.')
    }
    expect(server.received).toEqual([])
  })

  test('a search of the web reports what was found, or what the service responded', async () => {
    let respond = () => Response.json({ results: [{ url: 'https://ice.example/a', title: 'Ice', content: 'Thin.' }] })
    using service = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => respond() })
    const search = async (as = role.root as number) => {
      const session = await site.signIn((await anAccount(world.ctx, { role: as })).id)
      return site.client(session).call(optionRoutes.testWebSearch, { body: { query: 'thin ice' } })
    }
    const noPages = { pages: [], status: 0, excerpt: '' }
    expect(await search()).toMatchObject({ ...noPages, outcome: 'off' })
    const WebSearchUrl = `http://127.0.0.1:${service.port}/search`
    await setOptionsIn(world.ctx, { WebSearchService: 'searxng', WebSearchUrl, WebSearchKey: 'a-secret-key' })
    expect(await search()).toMatchObject({ outcome: 'found', pages: [{ url: 'https://ice.example/a', title: 'Ice' }] })
    respond = () => new Response('no such key: a-secret-key', { status: 401 })
    expect(await search()).toMatchObject({ ...noPages, outcome: 'refused', status: 401, excerpt: 'no such key: [key]' })
    expect(await search(role.admin).catch((error: ApiError) => error.code)).toBe('auth.forbidden')
    await service.stop(true)
    expect(await search()).toMatchObject({ ...noPages, outcome: 'unreachable' })
  })
})
