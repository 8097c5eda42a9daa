import { userStatus } from '@tollgate/contract'

import { sha256 } from '../../platform/store/seal'
import { announce, auditCommand, namedUser, openForWriting } from './act'
import type { Command } from './command'

/** Lets a user in again who is locked out. */
export const unlock: Command = {
  name: 'unlock',
  parameters: 'USER',
  summary: 'Enable a user, and forget wrong passwords and codes.',
  details: [
    'USER is a user name or a mail address. A disabled account is enabled; wrong passwords and second factors for it no longer count.',
    'Those that count for an address, whatever the account, end by themselves within 20 minutes. The gateway may run.',
  ],
  async run(parameters, world) {
    const database = await openForWriting(world)
    try {
      const user = await namedUser(database.query, 'unlock', parameters)
      const names = [user.username, ...(user.email ? [user.email] : [])]
      const hashes = names.map((name) => sha256(name.normalize('NFKC').trim().toLowerCase()))
      await database.query.transaction().execute(async (transaction) => {
        await transaction.updateTable('users').set({ status: userStatus.enabled }).where('id', '=', user.id).execute()
        await transaction
          .deleteFrom('limit_counts')
          .where((eb) =>
            eb.or([
              ...hashes.map((hash) => eb('key', 'like', `%:sign-in:%:${hash}`)),
              eb('key', 'like', `%:second-factor:${user.id}`),
            ]),
          )
          .execute()
        await announce({ topic: 'user', refId: user.id }, transaction)
        await auditCommand(transaction, {
          action: 'user.manage',
          target: { kind: 'user', id: String(user.id), name: user.username },
          before: { status: user.status },
          after: { status: userStatus.enabled },
        })
      })
      world.print(`${user.username} may sign in again.`)
      return 0
    } finally {
      await database.close()
    }
  },
}
