import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { createTurns } from '../../gateway/src/channels/turns/create-turns'
import { openSqlite, type Database } from '../../gateway/src/platform/store/database'
import { migrate } from '../../gateway/src/platform/store/migrate'
import { createSeal } from '../../gateway/src/platform/store/seal'
import { systemClock } from '../../gateway/src/platform/time/clock'
import { systemTimers } from '../../gateway/src/platform/time/timers'
import { removeAllPieces } from '../../gateway/src/tasks/files/remove-files'
import { times, type HostileInput } from './hostile-input'

const megabyte = 1024 * 1024

/** Creates a local database, which `work` closes and removes. */
async function withDatabase(
  fill: (database: Database) => Promise<void>,
  work: (database: Database) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-hostile-'))
  const database = openSqlite(join(folder, 'tollgate.sqlite'))
  await migrate(database)
  await fill(database)
  return async () => {
    await work(database)
    await database.close()
    rmSync(folder, { recursive: true })
  }
}

const piecesOf = (megabytes: number) => sql`insert into file_chunks (file_id, number, content)
  with recursive pieces(number) as (select 0 union all select number + 1 from pieces where number < ${megabytes - 1})
  select 1, number, zeroblob(${megabyte}) from pieces`

const owner = { userId: 1, tokenId: null }
const turnId = 'resp_kept'

function turnsIn(database: Database) {
  return createTurns({
    database,
    seal: createSeal(Buffer.alloc(32, 1)),
    clock: systemClock,
    timers: systemTimers,
    log: { warn() {}, info() {} },
    limits: () => ({ ttlSeconds: 3600, maxTurnBytes: 64 * megabyte, maxUserBytes: 1024 * megabyte }),
  })
}

/** Writes a turn of this many megabytes, in small messages. */
async function writeTurn(database: Database, megabytes: number): Promise<void> {
  const turns = turnsIn(database)
  const message = { role: 'user', content: 'Ice. '.repeat(20) }
  turns.add({
    id: turnId,
    previousId: null,
    origin: { channelId: 1, keyFingerprint: 'f', dialect: 'openai-chat' },
    input: [...times((megabytes * megabyte) / JSON.stringify(message).length, () => message)],
    response: { id: turnId, output: [] },
    ...owner,
    tokenId: 0,
  })
  await turns.close()
}

/** What users made the gateway keep, on a local database, which never yields by itself. */
export const storedInputs: readonly HostileInput[] = [
  {
    name: 'a file of many megabytes that is removed',
    size: 75,
    isAtLimit: true,
    make: (size) =>
      withDatabase(
        async ({ query }) => void (await piecesOf(size).execute(query)),
        ({ query }) => removeAllPieces(query, 1),
      ),
  },
  {
    name: 'a turn of many messages that is opened',
    size: 4,
    isAtLimit: true,
    make: (size) =>
      withDatabase(
        (database) => writeTurn(database, size),
        async (database) => {
          const thread = await turnsIn(database).threadTo(owner, turnId, 64 * megabyte)
          if (thread.kind !== 'whole') throw new Error('The turn is not there')
        },
      ),
  },
]
