import { userStatus } from '@tollgate/contract'

import { endSessions } from '../../accounts/sessions/sessions'
import { passwordSet } from '../../accounts/users/audit-user'
import { hashedPassword } from '../../accounts/users/passwords'
import { announce, auditCommand, namedUser, openForWriting } from './act'
import type { Command } from './command'
import { randomToken, systemRandom } from '../../platform/random'

/** Gives a user a new password: the way back in where no mail can be sent. */
export const resetPassword: Command = {
  name: 'reset-password',
  parameters: 'USER',
  summary: 'Give a user a new password, and print it.',
  details: [
    'USER is a user name or a mail address. The password is random and printed once: change it after signing in.',
    'All sessions of the user end. API keys, access tokens and second factors stay. The gateway may run.',
  ],
  async run(parameters, world) {
    const database = await openForWriting(world)
    try {
      const user = await namedUser(database.query, 'reset-password', parameters)
      const password = randomToken(systemRandom, 15)
      const passwordHash = await hashedPassword(password)
      await database.query.transaction().execute(async (transaction) => {
        await transaction.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute()
        await endSessions(user.id, transaction)
        await announce({ topic: 'user', refId: user.id }, transaction)
        await auditCommand(transaction, {
          action: 'account.reset_password',
          target: { kind: 'user', id: String(user.id), name: user.username },
          after: passwordSet,
        })
      })
      world.print(`The new password of ${user.username} is ${password}`)
      if (user.status !== userStatus.enabled)
        world.print(`The account is disabled: tollgate unlock ${user.username} enables it.`)
      return 0
    } finally {
      await database.close()
    }
  },
}
