import { existsSync } from 'node:fs'
import { auditDone, role, type AuditAction } from '@tollgate/contract'

import { systemClock } from '../../platform/time/clock'
import { createSecretsCheck } from '../../channels/catalog/secrets-check'
import { readConfig, type Config } from '../../platform/config/config'
import { announceChange, type Change } from '../../platform/store/changes'
import { otherKeyOf, pathsIn, secretKeyOf } from '../../platform/store/data-folder'
import { createSeal, type Seal } from '../../platform/store/seal'
import type { Database, Queries, Transaction } from '../../platform/store/database'
import { openDatabase } from '../../platform/store/open-database'
import { isTooOld, tooOldSentence } from '../../platform/store/earlier-builds'
import { schemaState } from '../../platform/store/migrate'
import { CommandError, UsageError, type CommandWorld } from './command'
import { usernameKey } from '../../accounts/users/usernames'

/** What a command did, for the audit log. Never a secret. */
export interface AuditedAct {
  readonly action: AuditAction
  readonly target?: { readonly kind: string; readonly id: string; readonly name: string }
  readonly before?: object
  readonly after?: object
}

/**
 * Opens the database for a command that changes something; gateways may run meanwhile.
 * @throws CommandError when there is none, or its schema is not that of this release.
 */
export async function openForWriting({ environment }: CommandWorld): Promise<Database> {
  const config = readConfig(environment)
  const { sqlitePath } = pathsIn(config.dataDir)
  if (!config.databaseUrl && !existsSync(sqlitePath)) throw new CommandError(`There is no database at ${sqlitePath}.`)
  const database = await openDatabase(config, sqlitePath)
  const state = await schemaState(database)
  if (!state.isEmpty && state.missing.length === 0) return database
  await database.close()
  if (isTooOld(state)) throw new CommandError(tooOldSentence)
  throw new CommandError('The database schema is not that of this release. Start the gateway once, then repeat this.')
}

/** Opens what the secrets of a database are sealed with. @throws CommandError when this is not the key of this database. */
export async function openSeal(
  database: Database,
  { environment }: CommandWorld,
): Promise<{ readonly config: Config; readonly seal: Seal }> {
  const config = readConfig(environment)
  const { path, secretKeyPath } = pathsIn(config.dataDir)
  if (!config.secretKey && !existsSync(secretKeyPath))
    throw new CommandError(`There is no key at ${secretKeyPath}, and SECRET_KEY is not set.`)
  const seal = createSeal(secretKeyOf({ path }, config.secretKey), otherKeyOf({ path }, config.previousSecretKey))
  const problem = await createSecretsCheck({ database, seal }).problem()
  if (problem !== null) throw new CommandError(problem)
  return { config, seal }
}

/** Tells running gateways in the transaction of a change; they follow within a second. */
export const announce = (change: Change, transaction: Transaction): Promise<void> =>
  announceChange(change, Date.now(), transaction)

/** Records a command in the audit log. The gateway does not know who runs it. */
export async function auditCommand(query: Pick<Transaction, 'insertInto'>, act: AuditedAct): Promise<void> {
  const { action, target, before, after } = act
  await query
    .insertInto('audit_log')
    .values({
      created_at: systemClock.seconds(),
      request_id: '',
      user_id: 0,
      username: '',
      role: role.root,
      means: 'command',
      ip: '',
      user_agent: '',
      action,
      method: '',
      path: '',
      target: target?.kind ?? '',
      target_id: target?.id ?? '',
      target_name: target?.name ?? '',
      outcome: auditDone,
      before: before ? JSON.stringify(before) : '',
      after: after ? JSON.stringify(after) : '',
    })
    .execute()
}

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
