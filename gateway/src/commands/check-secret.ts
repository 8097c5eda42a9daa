import { existsSync, readFileSync, statSync } from 'node:fs'

import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Config } from '../config'
import { secretKeyOf, type pathsIn } from '../process/data-folder'
import type { Database } from '../store/database'
import { createSeal } from '../store/seal'
import type { Examined } from './check-database'
import { fail, ok, warn, type Finding } from './finding'

type Paths = ReturnType<typeof pathsIn>

const subject = 'secret key'
const groupAndOthers = 0o077

/** What is sealed in the database can be opened with the key that the gateway would use. */
export async function checkSecretKey(config: Config, paths: Paths, examined: Examined): Promise<Finding> {
  const { database, tables } = examined
  if (tables === 'unknown') return warn(subject, 'was not compared with what is sealed', 'See the database first')
  const sealed = database && tables === 'there' ? await sealedTexts(database) : []
  const isInFile = !config.secretKey
  if (isInFile && !isKeyThere(paths)) {
    if (sealed.length === 0) return ok(subject, 'will be made at the first start')
    return fail(
      subject,
      `is missing, and ${sealed.length} secrets are sealed with it`,
      'Set SECRET_KEY, or put secret-key back',
    )
  }
  const seal = createSeal(secretKeyOf(paths, config.secretKey))
  const closed = sealed.filter((text) => !opens(() => seal.open(text)))
  if (closed.length > 0) {
    const text = `does not open ${closed.length} of ${sealed.length} channel keys and options`
    return fail(subject, text, 'Set the SECRET_KEY they were sealed with, or enter them again')
  }
  if (isInFile && (statSync(paths.secretKeyPath).mode & groupAndOthers) !== 0) {
    return warn(subject, `${paths.secretKeyPath} can be read by others`, `chmod 600 ${paths.secretKeyPath}`)
  }
  return ok(subject, `from ${isInFile ? 'DATA_DIR' : 'SECRET_KEY'}, opens all ${sealed.length} sealed secrets`)
}

const isKeyThere = ({ secretKeyPath }: Paths) =>
  existsSync(secretKeyPath) && readFileSync(secretKeyPath, 'utf8').trim() !== ''

async function sealedTexts({ query }: Database): Promise<string[]> {
  const channels = await query.selectFrom('channels').select('key_sealed').execute()
  const options = await query.selectFrom('options').select(['key', 'value']).execute()
  const secrets = options.filter(({ key, value }) => isOptionKey(key) && isSecretOption(key) && value !== '')
  return [...channels.map((row) => row.key_sealed), ...secrets.map(({ value }) => value)]
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
