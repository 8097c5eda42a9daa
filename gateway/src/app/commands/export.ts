import { readSite } from '../site-file/site-state'
import { openSite } from '../site-file/transaction-site'
import { writeSiteFile } from '../site-file/write-file'
import { openForWriting, openSeal } from './act'
import { UsageError, type Command } from './command'

/** Prints the settings of the site as a file. */
export const exportSite: Command = {
  name: 'export',
  parameters: '',
  summary: 'Print options, channels, prices, plans and limits as a file that `apply` takes.',
  details: [
    'Secrets are variables of the environment in it, never values: tollgate export > site.yaml',
    'Applied to this site it changes nothing; for another one the variables have to be set.',
  ],
  async run(parameters, world) {
    if (parameters.length > 0) throw new UsageError('export takes no words.')
    const database = await openForWriting(world)
    try {
      const parts = await openSeal(database, world)
      const text = await database.query
        .transaction()
        .execute(async (transaction) =>
          writeSiteFile(await readSite(await openSite({ ...parts, database }, transaction))),
        )
      world.print(text.trimEnd())
      return 0
    } finally {
      await database.close()
    }
  },
}
