import { logLevels } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../../context'
import { logLevelNote, readNote, writeNotes } from './site-notes'

const Override = z.object({ level: z.enum(logLevels), until: z.number() })

type Deps = Pick<Context, 'clock' | 'config' | 'database'>

/** Resolves with the level in force for all workers; `until`, in Unix seconds, is null where it is the configured one. */
export async function levelNow({ clock, config, database }: Deps) {
  const found = await readNote(database.query, logLevelNote, Override)
  return found && found.until * 1000 > clock.now() ? found : { level: config.logLevel, until: null }
}

/** Sets the level for all workers until then. */
export async function setLevel(
  { changes, clock, database }: Pick<Context, 'changes' | 'clock' | 'database'>,
  override: z.infer<typeof Override>,
): Promise<void> {
  await database.query.transaction().execute(async (transaction) => {
    await writeNotes(transaction, [{ name: logLevelNote, value: override }], clock.now())
    await changes.announce({ topic: 'log-level', refId: 0 }, transaction)
  })
  await changes.deliver()
}
