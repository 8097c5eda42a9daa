import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

import { readConfig, type Config } from '../../platform/config/config'
import { nextSecretKeyPath, pathsIn } from '../../platform/store/data-folder'
import type { Database } from '../../platform/store/database'
import { resealAll, unknownTexts } from '../../platform/store/reseal'
import { createSeal } from '../../platform/store/seal'
import { isHeld } from '../../operations/check-folder'
import { auditCommand, openForWriting } from './act'
import { CommandError, UsageError, type Command } from './command'
import { randomHex, systemRandom } from '../../platform/random'

type Paths = ReturnType<typeof pathsIn>

const skipUnknown = '--skip-unknown'

/** Changes the key that seals secrets at rest. */
export const rotateSecret: Command = {
  name: 'rotate-secret',
  parameters: `[${skipUnknown}]`,
  summary: 'Reseal every secret in the database with another key.',
  details: [
    'With SECRET_KEY: the new key is SECRET_KEY, the old one PREVIOUS_SECRET_KEY, or the file secret-key in DATA_DIR where it is not set.',
    'Gateways may run meanwhile when they were all started with both.',
    'Without SECRET_KEY: the gateway must not run. A new key is created and replaces the file secret-key, which is kept as',
    'secret-key.previous; backups made before need it.',
    'Nothing is changed while there are secrets that neither key decrypts. Enter them again in the console, or leave them as they are',
    `with ${skipUnknown}. A run that broke off is repeated with the same keys and goes on where it was.`,
  ],
  async run(parameters, world) {
    const { environment, print } = world
    const unknown = parameters.find((word) => word !== skipUnknown)
    if (unknown !== undefined) throw new UsageError(`rotate-secret does not take ${unknown}.`)
    const config = readConfig(environment)
    const paths = pathsIn(config.dataDir)
    const keys = config.secretKey ? keysOfEnvironment(config, paths) : keysOfFolder(config, paths)
    const database = await openForWriting(world)
    try {
      const done = await reseal(database, keys, parameters.includes(skipUnknown))
      for (const line of done) print(line)
    } finally {
      await database.close()
    }
    keys.keep()
    print(keys.reminder)
    return 0
  },
}

interface Keys {
  readonly next: string
  /** The same as `next` where texts of earlier releases are only bound to their places. */
  readonly previous: string
  /** Called when everything is sealed with the new key. */
  keep(): void
  readonly reminder: string
}

function keysOfEnvironment(config: Config, { secretKeyPath }: Paths): Keys {
  const inFile = existsSync(secretKeyPath) ? readFileSync(secretKeyPath, 'utf8').trim() : ''
  return {
    next: config.secretKey,
    previous: config.previousSecretKey || inFile || config.secretKey,
    keep: () => {},
    reminder: 'Done. Start every gateway without PREVIOUS_SECRET_KEY now.',
  }
}

function keysOfFolder(config: Config, paths: Paths): Keys {
  if (isHeld(paths)) throw new CommandError(`A gateway runs on ${paths.path}. Stop it first.`)
  const { secretKeyPath } = paths
  const nextPath = nextSecretKeyPath(paths)
  const present = existsSync(secretKeyPath) ? readFileSync(secretKeyPath, 'utf8').trim() : ''
  const previous = config.previousSecretKey || present
  if (previous === '') throw new CommandError(`There is no key in ${paths.path}, and PREVIOUS_SECRET_KEY is not set.`)
  if (!existsSync(nextPath)) writeFileSync(nextPath, `${randomHex(systemRandom, 32)}\n`, { mode: 0o600, flag: 'wx' })
  return {
    next: readFileSync(nextPath, 'utf8').trim(),
    previous,
    keep() {
      // There is a key at every moment: a gateway that found none would create one.
      if (present !== '') writeFileSync(`${secretKeyPath}.previous`, `${present}\n`, { mode: 0o600 })
      renameSync(nextPath, secretKeyPath)
    },
    reminder: `Done. The new key is in ${secretKeyPath}. Make a backup: earlier ones need the old key.`,
  }
}

async function reseal(database: Database, { next, previous }: Keys, mayLeave: boolean): Promise<string[]> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const seal = createSeal(bytes(next), bytes(previous))
  const unknown = await unknownTexts(database, seal)
  if (unknown.length > 0 && !mayLeave) {
    const columns = unknown.map(({ name, count }) => `${count} in ${name}`).join(', ')
    throw new CommandError(
      `Neither key opens these: ${columns}. Nothing was changed. Enter them again, or repeat this with ${skipUnknown}.`,
    )
  }
  const done = await resealAll(database, seal)
  await auditCommand(database.query, {
    action: 'secret.rotate',
    after: Object.fromEntries(done.map(({ name, count }) => [name, count])),
  })
  return [
    ...done.map(({ name, count }) => `${name}: ${count} sealed anew`),
    ...unknown.map(({ name, count }) => `${name}: ${count} left as they are, as neither key opens them`),
  ]
}
