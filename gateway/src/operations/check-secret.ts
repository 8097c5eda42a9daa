import { existsSync, readFileSync, statSync } from 'node:fs'

import { trySealedTexts, type SealedTexts } from '../channels/catalog/secrets-check'
import type { Config } from '../platform/config/config'
import { otherKeyOf, secretKeyOf, type pathsIn } from '../platform/store/data-folder'
import { createSeal, type Seal } from '../platform/store/seal'
import type { Examined } from './check-database'
import { fail, ok, sentence, warn, type Finding } from './finding'

type Paths = ReturnType<typeof pathsIn>

const subject = 'secret-key'
const groupAndOthers = 0o077

/** Checks that what is sealed in the database can be decrypted with the key that the gateway would use. */
export async function checkSecretKey(config: Config, paths: Paths, examined: Examined): Promise<Finding> {
  const { database, tables } = examined
  if (tables === 'unknown') return warn(subject, sentence('secret.unknown'), sentence('unchecked.advice'))
  const isInFile = !config.secretKey
  const isMissing = isInFile && !isKeyThere(paths)
  const seal = isMissing
    ? noKey
    : createSeal(secretKeyOf(paths, config.secretKey), otherKeyOf(paths, config.previousSecretKey))
  const { count, closed } = database && tables === 'there' ? await trySealedTexts(database, seal) : noSealedTexts
  if (isMissing) {
    if (count === 0) return ok(subject, sentence('secret.new'))
    return fail(subject, sentence('secret.missing', { count }), sentence('secret.missing.advice'))
  }
  if (closed > 0) {
    return fail(subject, sentence('secret.other', { closed, count }), sentence('secret.other.advice'))
  }
  if (isInFile && (statSync(paths.secretKeyPath).mode & groupAndOthers) !== 0) {
    const path = paths.secretKeyPath
    return warn(subject, sentence('secret.exposed', { path }), sentence('secret.exposed.advice', { path }))
  }
  return ok(subject, sentence('secret.good', { place: isInFile ? 'DATA_DIR' : 'SECRET_KEY', count }))
}

const noSealedTexts: SealedTexts = { count: 0, closed: 0 }
const noKey: Pick<Seal, 'open'> = {
  open() {
    throw new Error('There is no key')
  },
}

const isKeyThere = ({ secretKeyPath }: Paths) =>
  existsSync(secretKeyPath) && readFileSync(secretKeyPath, 'utf8').trim() !== ''
