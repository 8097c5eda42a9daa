import { expect, test } from 'bun:test'

import { aMailServer } from '../../test/mail-server'
import { certificateFindings, readCertificates } from './certificates'

const noServers = { databaseUrl: '', redisUrl: '' }
const serverAt = (port: number, isTlsAtOnce = false) => ({
  SMTPServer: 'localhost',
  SMTPPort: port,
  SMTPSSLEnabled: isTlsAtOnce,
})

test('the certificate of a mail server is read, with TLS at once and after STARTTLS', async () => {
  await using plain = await aMailServer()
  await using secure = await aMailServer({ secure: true })
  for (const server of [serverAt(plain.port), serverAt(secure.port, true)]) {
    const [certificate, ...others] = await readCertificates(noServers, server)
    expect(others).toEqual([])
    expect(certificate).toMatchObject({ of: 'mail', host: 'localhost', failure: '' })
    expect(certificate?.ends_at).toBeGreaterThan(0)
  }
})

test('a server without TLS has no certificate, and an unreachable one has the reason', async () => {
  await using bare = await aMailServer({ hideSTARTTLS: true })
  expect(await readCertificates(noServers, serverAt(bare.port))).toEqual([])
  await using gone = await aMailServer()
  const { port } = gone
  await gone[Symbol.asyncDispose]()
  const [certificate] = await readCertificates(noServers, serverAt(port))
  expect(certificate?.ends_at).toBeNull()
  expect(certificate?.failure).not.toBe('')
})

test('only encrypted connections are checked', async () => {
  const closed = 'localhost:1'
  const readServers = async (databaseUrl: string, redisUrl: string) =>
    (await readCertificates({ databaseUrl, redisUrl }, null)).map(({ of }) => of)
  expect(await readServers(`postgres://a@${closed}/a`, `redis://${closed}`)).toEqual([])
  expect(await readServers(`postgres://a@${closed}/a?sslmode=require`, `rediss://${closed}`)).toEqual([
    'database',
    'redis',
  ])
})

test('the doctor warns of a certificate that ends within three weeks, and fails for one that has ended', () => {
  const now = Date.UTC(2026, 0, 1)
  const ending = (days: number) => ({
    of: 'database' as const,
    host: 'db',
    subject: 'db',
    issuer: 'ca',
    ends_at: now / 1000 + days * 86_400,
    failure: '',
  })
  const levels = certificateFindings([ending(-1), ending(20), ending(22)], now).map(({ level }) => level)
  expect(levels).toEqual(['FAIL', 'warn', 'ok'])
})

test('an unreachable PostgreSQL is left to its own check', () => {
  const unread = (of: 'database' | 'mail') => ({
    of,
    host: 'a',
    subject: '',
    issuer: '',
    ends_at: null,
    failure: 'refused',
  })
  expect(certificateFindings([unread('database'), unread('mail')], 0)).toMatchObject([{ level: 'warn' }])
})
