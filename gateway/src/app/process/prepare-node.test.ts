import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { makeEarlierSteps } from '../../../test/earlier-steps'
import { readConfig, type Config } from '../../platform/config/config'
import { openDataFolder, type DataFolder } from '../../platform/store/data-folder'
import type { Database } from '../../platform/store/database'
import { tooOldSentence } from '../../platform/store/earlier-builds'
import { openDatabase } from '../../platform/store/open-database'
import { prepareNode } from './prepare-node'

/** Starts twice on a database that is not empty. */
async function startOn(prepare: (database: Database) => Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-prepare-'))
  try {
    const config = readConfig({ DATA_DIR: dataDir })
    const folder = openDataFolder(dataDir)
    const database = await openDatabase(config, folder.sqlitePath)
    try {
      await prepare(database)
    } finally {
      await database.close()
    }
    return [await start(config, folder), await start(config, folder)]
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

async function start(config: Config, folder: DataFolder) {
  const messages: string[] = []
  const failure = await prepareNode(config, folder, (level, message) => messages.push(`${level} ${message}`)).then(
    () => '',
    String,
  )
  return { messages, failure }
}

test('a start says which steps of the schema it makes before it makes them, and whether there is a way back', async () => {
  const steps = expect.stringMatching(/^info The schema is brought up to date: 0061-schema\.needs-0061\b/)
  const warning =
    'warn The release that ran here before cannot start on this database afterwards: keep the backup made before the update.'
  expect(await startOn(makeEarlierSteps)).toEqual([
    { messages: [steps, warning], failure: '' },
    { messages: [], failure: '' },
  ])
})

const lastNeeded = '9001-drop-what-this-uses.needs-9000'

test.each([
  ['lacks steps of earlier builds', '0059-unused-tables.needs-0059', tooOldSentence],
  ['belongs to a later release', lastNeeded, lastNeeded],
])('a start on a database that %s only says why it is refused', async (_case, last, sentence) => {
  const refusal = { messages: [], failure: expect.stringMatching(/^StartError: /) }
  const starts = await startOn(async (database) => {
    await makeEarlierSteps(database, last)
    if (last === lastNeeded)
      await sql`insert into kysely_migration (name, timestamp) values (${last}, '2099-01-01T00:00:00.000Z')`.execute(
        database.query,
      )
  })
  expect(starts).toEqual([refusal, refusal])
  expect(starts[0]?.failure).toContain(sentence)
})
