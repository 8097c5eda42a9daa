import {
  defaultOptions,
  isOptionKey,
  isSecretOption,
  optionText,
  parseOptions,
  type OptionKey,
} from '@tollgate/contract'

import { systemClock } from '../../platform/time/clock'
import { AppError } from '../../platform/app-error'
import { isRatioOption } from '../../billing/pricing/ratio-view'
import { checkedChange } from '../../console-api/options/option-change'
import { sentence } from '../../http/language'
import type { Database, Queries } from '../../platform/store/database'
import { announce, auditCommand, openForWriting } from './act'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'
import { keepOptionChange, storeOption } from '../../channels/catalog/option-changes'

/** Reads or changes an option of the site: the way back in where one keeps everyone out of the console. */
export const option: Command = {
  name: 'option',
  parameters: 'get|set|unset NAME [VALUE]',
  summary: 'Print, set or unset an option of the site.',
  details: [
    'docs/options.md has the names. A value is written as the settings store it; unset returns to the default.',
    'Of a secret only whether it is set is printed; it is set in the console. Prices are edited there as well.',
    'What depends on other options is not checked as in the console. The gateway may run, and follows within a second.',
  ],
  async run([verb = '', name = '', ...values], world) {
    const key = namedOption(name)
    const [value] = values
    if (verb === 'set' ? values.length !== 1 : values.length > 0)
      throw new UsageError(`option ${verb} takes other words.`)
    const database = await openForWriting(world)
    try {
      if (verb === 'get') world.print(await readDisplayText(database.query, key))
      else if (verb === 'set') await change(database, key, checkedText(key, value ?? ''), world)
      else if (verb === 'unset') await change(database, key, null, world)
      else throw new UsageError('option takes get, set or unset.')
      return 0
    } finally {
      await database.close()
    }
  },
}

function namedOption(name: string): OptionKey {
  if (!isOptionKey(name)) throw new UsageError(name === '' ? 'option takes a name.' : `There is no option ${name}.`)
  if (isRatioOption(name)) throw new CommandError(`${name} is a view of the prices, which are edited in the console.`)
  return name
}

function checkedText(key: OptionKey, text: string): string {
  if (isSecretOption(key))
    throw new CommandError(`${key} is a secret. Set it in the console: words of a command are seen by others.`)
  try {
    return checkedChange(key, text).text
  } catch (error) {
    if (error instanceof AppError) throw new CommandError(sentence(error.code, error.params, 'en'), { cause: error })
    throw error
  }
}

const readStoredText = async (query: Pick<Queries, 'selectFrom'>, key: OptionKey): Promise<string | undefined> =>
  (await query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value

async function readDisplayText(query: Pick<Queries, 'selectFrom'>, key: OptionKey): Promise<string> {
  const text = await readStoredText(query, key)
  if (isSecretOption(key)) return text ? 'set' : ''
  if (text === undefined) return optionText(key, defaultOptions[key])
  return optionText(key, parseOptions(new Map([[key, text]]))[key])
}

/** Stores a text, or removes it for null. */
async function change(database: Database, key: OptionKey, text: string | null, { print }: CommandWorld): Promise<void> {
  await database.query.transaction().execute(async (transaction) => {
    // Announced first: the lock that this takes lets only one change of options run at a time.
    await announce({ topic: 'catalog', refId: 0 }, transaction)
    const before = await readDisplayText(transaction, key)
    if (text === null) await transaction.deleteFrom('options').where('key', '=', key).execute()
    else await storeOption(key, text, transaction)
    const after = await readDisplayText(transaction, key)
    const by = { created_at: systemClock.seconds(), request_id: '', user_id: 0, username: '' }
    if (before !== after) await keepOptionChange({ ...by, key, before, after }, transaction)
    await auditCommand(transaction, { action: 'option.update', before: { [key]: before }, after: { [key]: after } })
    print(`${key} is now ${after === '' ? 'empty' : after}`)
  })
}
