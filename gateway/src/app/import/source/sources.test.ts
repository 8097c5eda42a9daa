import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { eachDatabase, emptyPostgres } from '../../../../test/databases'
import { hasMariaDb, startMariaDb, type MariaDb } from '../../../../test/mariadb'
import { createSampleFile, sampleStatements, type SampleSite } from '../../../../test/sample-sites/statements'
import { oneApiSite } from '../../../../test/sample-sites/one-api'
import { veloeraSite } from '../../../../test/sample-sites/veloera'
import { oddSite } from '../../../../test/sample-sites/odd-site'
import { newApiSite } from '../../../../test/sample-sites/new-api'
import { familySource } from '../family/family-source'
import type { SiteSource } from '../site-source'
import { openSource } from './open-source'

setDefaultTimeout(60_000)

const now = 1_790_000_000
const folder = mkdtempSync(join(tmpdir(), 'tollgate-source-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads all that an import reads. */
async function readAll(source: SiteSource) {
  const all = async <Item>(pages: AsyncIterable<readonly Item[]>) => (await Array.fromAsync(pages)).flat()
  const read = {
    product: source.product,
    identity: await source.identity(),
    options: Object.fromEntries(await source.options()),
    users: await all(source.users()),
    tokens: await all(source.tokens()),
    channels: await all(source.channels()),
    codes: await all(source.codes()),
    codeUses: await all(source.codeUses()),
    totpFactors: await all(source.totpFactors()),
    passkeys: await all(source.passkeys()),
    topUps: await all(source.topUps()),
    plans: await all(source.plans()),
    subscriptions: await all(source.subscriptions()),
    hours: await all(source.hours()),
    totals: await source.totals(),
    leftBehind: await source.leftBehind(),
    lastIds: await source.lastIds(),
    first: await source.firstLogSince(0),
    last: await source.lastLogBefore(now),
    logs: await all(source.logsBetween(0, now)),
  }
  await source.close()
  return read
}

async function fileOf(product: string, site: SampleSite): Promise<string> {
  const path = join(folder, `${product}.db`)
  if (!existsSync(path)) createSampleFile(site, path)
  return path
}

const readFrom = async (location: string) => readAll(await familySource(await openSource(location), now))

const sites = [
  ['one-api', oneApiSite],
  ['veloera', veloeraSite],
  ['new-api', newApiSite],
] as const
/** The same sites with values that no one expects. */
const oddSites = sites.map(([product, site], seed) => [`${product} with odd values`, oddSite(site, seed + 1)] as const)

test.each(sites)('a file of %s is recognised, and is not changed', async (product, site) => {
  const path = await fileOf(product, site)
  const before = readFileSync(path)
  const read = await readFrom(path)
  expect([read.product, read.users.length, read.totals.users]).toEqual([product, read.users.length, read.users.length])
  expect(read.users.length).toBeGreaterThan(2)
  expect(readFileSync(path).equals(before)).toBe(true)
  const source = await openSource(path)
  expect(source.select(`update users set quota = 1`)).rejects.toThrow()
  await source.close()
})

describe.if(eachDatabase.includes('postgres'))('PostgreSQL', () => {
  test.each([...sites, ...oddSites])(
    'a site of %s is read from it as from a file, and cannot be written',
    async (product, site) => {
      const server = await emptyPostgres()
      try {
        const client = new Client({ connectionString: server.url })
        await client.connect()
        for (const statement of sampleStatements(site, 'postgres')) await client.query(statement)
        await client.end()
        expect(await readFrom(server.url)).toEqual(await readFrom(await fileOf(product, site)))
        const source = await openSource(server.url)
        expect(source.select(`update users set quota = 1`)).rejects.toThrow('read-only')
        await source.close()
      } finally {
        await server.drop()
      }
    },
  )
})

describe.if(hasMariaDb)('MySQL', () => {
  let server: MariaDb
  beforeAll(async () => {
    server = await startMariaDb()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test.each([...sites, ...oddSites])(
    'a site of %s is read from it as from a file, and cannot be written',
    async (product, site) => {
      const url = await server.create(sampleStatements(site, 'mysql'))
      expect(await readFrom(url)).toEqual(await readFrom(await fileOf(product, site)))
      const source = await openSource(url)
      expect(source.select(`update users set quota = 1`)).rejects.toThrow('READ ONLY')
      await source.close()
    },
  )
})

if (!hasMariaDb) test.skip('MySQL tests need a server: mariadb-server-core and mariadb-client-core', () => {})

describe('other files', () => {
  test.each([
    ['a missing file', 'nowhere.db', 'There is no file'],
    ['a text', 'text.db', 'cannot be read'],
    ['a database of something else', 'other.db', 'has no table tokens'],
    ['a database of LiteLLM', 'litellm.db', 'Name its config.yaml first'],
  ])('%s is refused', async (_, name, sentence) => {
    const path = join(folder, name)
    if (name === 'text.db') writeFileSync(path, 'hello '.repeat(1000))
    if (name === 'other.db') createSampleFile({ users: { columns: { id: 'id' }, rows: [] } }, path)
    if (name === 'litellm.db')
      createSampleFile({ LiteLLM_VerificationToken: { columns: { token: 'text' }, rows: [] } }, path)
    const error = await readFrom(path).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain(sentence)
  })
})
