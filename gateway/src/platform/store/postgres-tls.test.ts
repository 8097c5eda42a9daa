import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { openPostgres } from './postgres'
import { postgresPrograms, run, startPostgres, type Service } from '../../../../scripts/test-services'

setDefaultTimeout(120_000)

const isPossible = Bun.which('openssl') !== null && (await postgresPrograms()) !== null

/** An authority, and the certificate it issued for `localhost`. */
async function certificates(folder: string): Promise<void> {
  const openssl = (...words: string[]) => run(['openssl', ...words], folder)
  const key = ['-newkey', 'rsa:2048', '-nodes']
  await openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=test-ca')
  await openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  await Bun.write(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  await openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem')
}

describe.if(isPossible)('PostgreSQL with a certificate of a private authority', () => {
  let service: Service | null
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
    await certificates(folder)
    service = await startPostgres({
      files: ['server.key', 'server.pem'].map((name) => join(folder, name)),
      settings: (at) => `-c ssl=on -c ssl_cert_file=${at}/server.pem -c ssl_key_file=${at}/server.key`,
    })
  })
  afterAll(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true })
  })

  /** Resolves with `encrypted`, `plain`, or why it was not reached. */
  async function tryConnect(host: string, parameters: Record<string, string>): Promise<string> {
    const url = new URL(service?.url ?? '')
    url.hostname = host
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const database = openPostgres(url.href, { connections: 1 })
    try {
      const tlsQuery = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      const { rows } = await tlsQuery.execute(database.query)
      return rows[0]?.ssl ? 'encrypted' : 'plain'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      await database.close()
    }
  }

  const ca = () => ({ sslrootcert: join(folder, 'ca.pem') })
  const wrongCa = () => ({ sslrootcert: join(folder, 'server.pem') })

  test.each<[string, string, () => Record<string, string>, string]>([
    ['without sslmode', 'localhost', () => ({}), 'plain'],
    ['sslmode=disable', 'localhost', () => ({ sslmode: 'disable' }), 'plain'],
    ['sslmode=require', 'localhost', () => ({ sslmode: 'require' }), 'encrypted'],
    ['sslmode=require with the authority', '127.0.0.1', () => ({ sslmode: 'require', ...ca() }), 'encrypted'],
    [
      'sslmode=require with another authority',
      'localhost',
      () => ({ sslmode: 'require', ...wrongCa() }),
      'certificate',
    ],
    ['sslmode=verify-ca by another name', '127.0.0.1', () => ({ sslmode: 'verify-ca', ...ca() }), 'encrypted'],
    ['sslmode=verify-full', 'localhost', () => ({ sslmode: 'verify-full', ...ca() }), 'encrypted'],
    ['sslmode=verify-full by another name', '127.0.0.1', () => ({ sslmode: 'verify-full', ...ca() }), 'altnames'],
    ['sslmode=verify-full without the authority', 'localhost', () => ({ sslmode: 'verify-full' }), 'certificate'],
    ['the authority alone', '127.0.0.1', ca, 'altnames'],
  ])('%s is understood as libpq does', async (_mode, host, parameters, expected) => {
    expect(await tryConnect(host, parameters())).toContain(expected)
  })
})
