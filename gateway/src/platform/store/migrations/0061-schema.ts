import { continueEarlierBuild, isOfEarlierBuild } from '../earlier-builds'
import type { NumberedMigration } from '../migration'
import { createAccounts } from '../schema/accounts'
import { createBilling } from '../schema/billing'
import { createChannels } from '../schema/channels'
import { createLogs } from '../schema/logs'
import { createMessaging } from '../schema/messaging'
import { createSite } from '../schema/site'
import { createTasks } from '../schema/tasks'
import { createUsage } from '../schema/usage'

/** The schema of the first release. Builds before it cannot work with a database that it made: they look for their own steps. */
export const schema: NumberedMigration = {
  name: '0061-schema.needs-0061',
  async up(db, kind) {
    if (await isOfEarlierBuild(db)) return continueEarlierBuild(db)
    for (const createRoom of rooms) await createRoom(db, kind)
  },
}

const rooms = [
  createSite,
  createAccounts,
  createChannels,
  createBilling,
  createLogs,
  createUsage,
  createTasks,
  createMessaging,
]
