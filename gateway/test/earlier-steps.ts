import { join } from 'node:path'

import { sql } from 'kysely'

import type { Database } from '../src/platform/store/database'

/** The last step of builds before the first release. */
const lastEarlierStep = '0060-margins'

const timestamp = '2026-11-01T00:00:00.000Z'

/** What these builds ran on an empty database, step by step, without statements that only moved rows. */
const recorded = join(import.meta.dir, 'fixtures/earlier-steps.txt')

/** Makes the steps of builds before the first release on an empty database, up to one of them. */
export async function makeEarlierSteps({ kind, query }: Database, last = lastEarlierStep): Promise<void> {
  const lines = (await Bun.file(recorded).text()).trimEnd().split('\n')
  await query.transaction().execute(async (transaction) => {
    const run = (statement: string) => sql.raw(statement).execute(transaction)
    await run('create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)')
    for (const line of lines) {
      const [word, text] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
      if (word === 'step' && text > last) return
      if (word === 'step')
        await run(`insert into kysely_migration (name, timestamp) values ('${text}', '${timestamp}')`)
      else if (word === 'both' || word === kind) await run(text)
    }
  })
}
