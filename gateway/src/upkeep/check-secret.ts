import { existsSync, readFileSync, statSync } from 'node:fs'

import { trySealedTexts, type SealedTexts } from '../catalog/sealed-texts'
import type { Config } from '../config'
import { otherKeyOf, secretKeyOf, type pathsIn } from '../store/data-folder'
import { createSeal, type Seal } from '../store/seal'
import type { Examined } from './check-database'
import { fail, ok, warn, type Finding } from './finding'

type Paths = ReturnType<typeof pathsIn>

const subject = 'secret key'
const groupAndOthers = 0o077

/** What is sealed in the database can be opened with the key that the gateway would use. */
export async function checkSecretKey(config: Config, paths: Paths, examined: Examined): Promise<Finding> {
  const { database, tables } = examined
  if (tables === 'unknown') return warn(subject, 'was not compared with what is sealed', 'See the database first')
  const isInFile = !config.secretKey
  const isMissing = isInFile && !isKeyThere(paths)
  const seal = isMissing
    ? noKey
    : createSeal(secretKeyOf(paths, config.secretKey), otherKeyOf(paths, config.previousSecretKey))
  const { count, closed } = database && tables === 'there' ? await trySealedTexts(database, seal) : nothing
  if (isMissing) {
    if (count === 0) return ok(subject, 'will be made at the first start')
    return fail(
      subject,
      `is missing, and ${count} secrets are sealed with it`,
      'Set SECRET_KEY, or put secret-key back',
    )
  }
  if (closed > 0) {
    const text = `does not open ${closed} of ${count} channel keys and options`
    return fail(subject, text, 'Set the SECRET_KEY they were sealed with, or enter them again')
  }
  if (isInFile && (statSync(paths.secretKeyPath).mode & groupAndOthers) !== 0) {
    return warn(subject, `${paths.secretKeyPath} can be read by others`, `chmod 600 ${paths.secretKeyPath}`)
  }
  return ok(subject, `from ${isInFile ? 'DATA_DIR' : 'SECRET_KEY'}, opens all ${count} sealed secrets`)
}

const nothing: SealedTexts = { count: 0, closed: 0 }
const noKey: Pick<Seal, 'open'> = {
  open() {
    throw new Error('There is no key')
  },
}

const isKeyThere = ({ secretKeyPath }: Paths) =>
  existsSync(secretKeyPath) && readFileSync(secretKeyPath, 'utf8').trim() !== ''
