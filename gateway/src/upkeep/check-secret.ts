import { existsSync, readFileSync, statSync } from 'node:fs'

import { trySealedTexts, type SealedTexts } from '../catalog/sealed-texts'
import type { Config } from '../config'
import { otherKeyOf, secretKeyOf, type pathsIn } from '../store/data-folder'
import { createSeal, type Seal } from '../store/seal'
import type { Examined } from './check-database'
import { fail, ok, say, warn, type Finding } from './finding'

type Paths = ReturnType<typeof pathsIn>

const subject = 'secret-key'
const groupAndOthers = 0o077

/** Checks that what is sealed in the database can be decrypted with the key that the gateway would use. */
export async function checkSecretKey(config: Config, paths: Paths, examined: Examined): Promise<Finding> {
  const { database, tables } = examined
  if (tables === 'unknown') return warn(subject, say('secret.unknown'), say('unchecked.advice'))
  const isInFile = !config.secretKey
  const isMissing = isInFile && !isKeyThere(paths)
  const seal = isMissing
    ? noKey
    : createSeal(secretKeyOf(paths, config.secretKey), otherKeyOf(paths, config.previousSecretKey))
  const { count, closed } = database && tables === 'there' ? await trySealedTexts(database, seal) : nothing
  if (isMissing) {
    if (count === 0) return ok(subject, say('secret.new'))
    return fail(subject, say('secret.missing', { count }), say('secret.missing.advice'))
  }
  if (closed > 0) {
    return fail(subject, say('secret.other', { closed, count }), say('secret.other.advice'))
  }
  if (isInFile && (statSync(paths.secretKeyPath).mode & groupAndOthers) !== 0) {
    const path = paths.secretKeyPath
    return warn(subject, say('secret.exposed', { path }), say('secret.exposed.advice', { path }))
  }
  return ok(subject, say('secret.good', { place: isInFile ? 'DATA_DIR' : 'SECRET_KEY', count }))
}

const nothing: SealedTexts = { count: 0, closed: 0 }
const noKey: Pick<Seal, 'open'> = {
  open() {
    throw new Error('There is no key')
  },
}

const isKeyThere = ({ secretKeyPath }: Paths) =>
  existsSync(secretKeyPath) && readFileSync(secretKeyPath, 'utf8').trim() !== ''
