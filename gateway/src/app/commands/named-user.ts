import { usernameKey } from '../../accounts/users/credentials'
import type { Queries } from '../../platform/store/database'
import { CommandError, UsageError } from './command'

/** The account that a command is about. */
export interface NamedUser {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly status: number
}

/** Resolves with the account that the one parameter names, by user name or mail address. @throws UsageError, CommandError */
export async function namedUser(query: Queries, command: string, parameters: readonly string[]): Promise<NamedUser> {
  const [name, ...rest] = parameters
  if (name === undefined || rest.length > 0) throw new UsageError(`${command} takes the name of one user.`)
  const user = await query
    .selectFrom('users')
    .select(['id', 'username', 'email', 'status'])
    .where((eb) =>
      eb.or([eb('username_key', '=', usernameKey(name.trim())), eb('email', '=', name.trim().toLowerCase())]),
    )
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new CommandError(`There is no user ${name}.`)
  return user
}
