import { ImportError } from '../import-error'

/** The products that share one-api's tables. */
export type Lineage = 'one-api' | 'veloera' | 'new-api'

type Tables = ReadonlyMap<string, ReadonlySet<string>>

const needed = ['users', 'tokens', 'channels', 'options'] as const

/** Returns which product's tables these are: by what it alone has, as no row says so. @throws ImportError where they are of none. */
export function lineageOf(tables: Tables): Lineage {
  if (tables.has('LiteLLM_VerificationToken'))
    throw new ImportError('This is a database of LiteLLM. Name its config.yaml first, and the database after it.')
  const missing = needed.find((name) => !tables.has(name))
  if (missing) throw new ImportError(`The source has no table ${missing}: it is not one-api, new-api or Veloera.`)
  const has = (table: string, column: string) => tables.get(table)?.has(column) ?? false
  if (has('tokens', 'key_hash'))
    throw new ImportError('The source is a database of Tollgate: tollgate move copies those.')
  if (has('channels', 'model_prefix') || tables.has('redemption_logs')) return 'veloera'
  if (has('users', 'lark_id') || has('tokens', 'subnet')) return 'one-api'
  // Releases of new-api differ in their tables; all of them group keys.
  return has('tokens', 'group') || has('channels', 'tag') ? 'new-api' : 'one-api'
}
