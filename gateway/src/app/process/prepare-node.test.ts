import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeEarlierSteps } from '../../../test/earlier-steps'
import { readConfig, type Config } from '../../platform/config/config'
import { openDataFolder, type DataFolder } from '../../platform/store/data-folder'
import { tooOldSentence } from '../../platform/store/earlier-builds'
import { openDatabase } from '../../platform/store/open-database'
import { prepareNode } from './prepare-node'

/** Starts on a database of builds before the first release. */
async function startAfter(last: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-prepare-'))
  try {
    const config = readConfig({ DATA_DIR: dataDir })
    const folder = openDataFolder(dataDir)
    const database = await openDatabase(config, folder.sqlitePath)
    await makeEarlierSteps(database, last).finally(() => database.close())
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
  const steps = 'info The schema is brought up to date: 0061-schema.needs-0061.'
  const warning =
    'warn The release that ran here before cannot start on this database afterwards: keep the backup made before the update.'
  expect(await startAfter('0060-margins')).toEqual([
    { messages: [steps, warning], failure: '' },
    { messages: [], failure: '' },
  ])
})

test('a start on a database that it cannot go on from says that alone', async () => {
  const refusal = { messages: [], failure: `StartError: ${tooOldSentence}` }
  expect(await startAfter('0059-unused-tables.needs-0059')).toEqual([refusal, refusal])
})
