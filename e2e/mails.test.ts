import { expect, setDefaultTimeout, test } from 'bun:test'

import { createClient, registrationRoutes } from '@tollgate/contract'

import { aMailServer, type MailServer } from '../gateway/test/mail-server'
import { Console } from './console'
import { databaseKinds, freshDatabase } from './databases'
import { startGateway, type Gateway } from './gateway'
import { openQueries } from './ledger-audit'
import { until } from './ledger-view'
import { metricOf } from './metric'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

const timeoutMs = 60_000

const waitForMails = (server: MailServer, address: string) =>
  until(
    async () => server.received.filter(({ to }) => to.includes(address)),
    (mails) => mails.length > 0,
    timeoutMs,
  )

/** Requests a code. Resolves with the cookie it is bound to. */
async function requestCode({ url }: Gateway, email: string): Promise<string> {
  const response = await fetch(`${url}/api/verification?${new URLSearchParams({ email }).toString()}`)
  expect(await response.json()).toMatchObject({ success: true })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

test('a queued mail survives a kill of all processes, arrives once, and its code opens an account', async () => {
  let isAway = true
  await using server = await aMailServer({
    response: () => (isAway ? { responseCode: 451, message: 'Come later' } : null),
  })
  await using database = await freshDatabase(databaseKinds.at(-1) ?? 'sqlite')
  const settings = { workers: 2, databaseUrl: database.url }
  await using first = await startGateway(settings)
  const root = await Console.setUp(first.url, { username: 'root', password: 'not-a-real-password' })
  const options = { SMTPServer: '127.0.0.1', SMTPPort: `${server.port}`, SMTPFrom: 'gate@example.com' }
  await root.setOptions({ ...options, EmailVerificationEnabled: 'true' })
  const cookie = await requestCode(first, 'ann@example.com')
  await until(
    () => metricOf(first, 'tollgate_mails_total{outcome="later"}'),
    (count) => count > 0,
    timeoutMs,
  )
  await first.kill()
  isAway = false
  {
    // As if the wait before its next attempt were over.
    await using queries = openQueries(first.dataDir, database.url)
    await queries.rows('update mails set due_at = 1 where due_at is not null')
  }
  await using second = await startGateway({ ...settings, dataDir: first.dataDir, port: first.port })
  const [mail] = await waitForMails(server, 'ann@example.com')
  const code = /^ +(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? ''
  const ann = { username: 'ann', password: 'another-not-real-one' }
  const client = createClient({ baseUrl: second.url, language: 'en', cookie })
  await client.call(registrationRoutes.register, {
    body: { ...ann, email: 'ann@example.com', verification_code: code },
  })
  expect((await Console.signIn(second.url, { ...ann, username: 'ann@example.com' })).userId).toBeGreaterThan(1)
  // Any attempt still in flight for the first mail has finished when a later one arrives.
  await requestCode(second, 'bob@example.com')
  await waitForMails(server, 'bob@example.com')
  expect(server.received.map(({ to }) => to)).toEqual([['ann@example.com'], ['bob@example.com']])
})
