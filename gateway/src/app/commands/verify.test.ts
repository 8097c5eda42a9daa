import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { databaseName, describeFile, manifestName, parseManifest } from '../../operations/manifest'
import { UpkeepError } from '../../operations/upkeep-error'
import { verifyBackup } from './verify'

const journal = 'journal/w.journal'

let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-verify-'))
  mkdirSync(join(folder, 'journal'))
  writeFileSync(join(folder, journal), 'a journal')
  const database = new SqliteFile(join(folder, databaseName))
  database.run('create table rows (text text)')
  database.run('insert into rows select hex(randomblob(1000)) from (values (1), (2), (3), (4), (5), (6), (7), (8))')
  database.close()
  await writeManifest()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function writeManifest(changes: object = {}): Promise<void> {
  const files = await Promise.all([databaseName, journal].map((name) => describeFile(folder, name)))
  const createdAt = '2026-03-01T12:00:00.000Z'
  const manifest = { format: 1, release: '1.0.0', createdAt, database: 'sqlite', files, ...changes }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
}

/** Resolves with what is wrong with the backup. */
const failureOf = async () => {
  const error = await verifyBackup(folder).catch((failure: unknown) => failure)
  return error instanceof UpkeepError ? error.message : 'none'
}

describe('a backup', () => {
  test('a backup whose files are as they were written is verified', async () => {
    expect((await verifyBackup(folder)).files.map(({ name }) => name)).toEqual([databaseName, journal])
  })

  test('a file of the same length with another content is named', async () => {
    writeFileSync(join(folder, journal), 'A journal')
    expect(await failureOf()).toBe(`The backup is damaged: ${join(folder, journal)} is missing or was changed.`)
  })

  test.each([
    ['a shorter file', () => truncateSync(join(folder, databaseName), 4096), databaseName],
    ['a longer file', () => writeFileSync(join(folder, journal), 'a journal and more'), journal],
    ['a missing file', () => rmSync(join(folder, journal)), journal],
  ])('%s is named', async (_name, damage, file) => {
    damage()
    expect(await failureOf()).toContain(join(folder, file))
  })

  test('a database that was damaged before it was written is named', async () => {
    const path = join(folder, databaseName)
    const bytes = await Bun.file(path).bytes()
    writeFileSync(path, bytes.fill(0xaa, 4096, 4096 + 16))
    await writeManifest()
    expect(await failureOf()).toStartWith('The database in the backup is damaged: ')
    writeFileSync(path, 'not a database, but long enough to be looked at')
    await writeManifest()
    expect(await failureOf()).toStartWith('The database in the backup is damaged: ')
  })
})

describe('a manifest', () => {
  test.each([
    ['of another format', { format: 2 }],
    ['without a time', { createdAt: 'yesterday' }],
    ['of another database', { database: 'mysql' }],
    ...['../secret', '/etc/passwd', 'journal/', 'journal/..', 'journal/../../x', 'journal/a/b', 'other', ''].map(
      (name) => [`that names the file ${JSON.stringify(name)}`, { files: [{ name, bytes: 1, sha256: '' }] }] as const,
    ),
    ['with a file of negative length', { files: [{ name: databaseName, bytes: -1, sha256: '' }] }],
  ])('a manifest %s is refused', async (_name, changes) => {
    await writeManifest(changes)
    expect(() => parseManifest(folder)).toThrow('is not a backup of this program')
    expect(await failureOf()).toContain('is not a backup of this program')
  })

  test('a folder without a manifest, or with a broken one, is not a backup', () => {
    writeFileSync(join(folder, manifestName), '{')
    expect(() => parseManifest(folder)).toThrow(UpkeepError)
    rmSync(join(folder, manifestName))
    expect(() => parseManifest(folder)).toThrow(UpkeepError)
  })
})
