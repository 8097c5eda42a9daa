import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { migratedSqlite } from '../../../test/databases'
import { readConfig } from '../../platform/config/config'
import { openDataFolder } from '../../platform/store/data-folder'
import { openDatabase } from '../../platform/store/open-database'
import { prepareNode } from './prepare-node'

const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-prepare-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

test('a start says which steps of the schema it makes before it makes them, and whether there is a way back', async () => {
  const config = readConfig({ DATA_DIR: dataDir })
  const folder = openDataFolder(dataDir)
  await migratedSqlite(folder.sqlitePath)
  const start = async () => {
    const messages: string[] = []
    const failure = await prepareNode(config, folder, (level, message) => messages.push(`${level} ${message}`)).then(
      () => '',
      String,
    )
    return { messages, failure }
  }
  expect(await start()).toEqual({ messages: [], failure: '' })
  const database = await openDatabase(config, folder.sqlitePath)
  const forget = (after: string) => sql`delete from kysely_migration where name > ${after}`.execute(database.query)
  // The steps fail here, as what they add exists.
  await forget('0060')
  const { messages, failure } = await start()
  expect(messages).toEqual([expect.stringMatching(/^info The schema is brought up to date: 0060-/)])
  expect(failure).toContain('could not be brought up to date')
  // From here on, a step removes what the release before writes.
  await forget('0059')
  expect((await start()).messages[1]).toBe(
    'warn The release that ran here before cannot start on this database afterwards: keep the backup made before the update.',
  )
  await database.close()
})
