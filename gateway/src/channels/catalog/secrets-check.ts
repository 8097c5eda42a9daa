import { isOptionKey, isSecretOption } from '@tollgate/contract'

import type { Database } from '../../platform/store/database'
import type { Seal, SealContext } from '../../platform/store/seal'

/** Checks whether this node has the key that the database's secrets are sealed with. */
export interface SecretsCheck {
  /** Resolves with a sentence for the operator; null when all is well. Rejects when the database does not respond. */
  problem(): Promise<string | null>
}

const probeId = 1
const probeText = 'tollgate'
const probeContext = `secret_probes.sealed#${probeId}` as const

/**
 * Creates the check. The database keeps one text that the first node sealed: a node that can decrypt it has the right key, at the cost of
 * one small read. A node that cannot may still be right, where every secret was entered again after a lost key: when it decrypts all of
 * them the probe is replaced by its own.
 */
export function createSecretsCheck({ database, seal }: { database: Database; seal: Seal }): SecretsCheck {
  let opened: string | undefined

  async function keepProbe(): Promise<void> {
    const sealed = seal.seal(probeText, probeContext)
    await database.query
      .insertInto('secret_probes')
      .values({ id: probeId, sealed })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed }))
      .execute()
  }

  return {
    async problem() {
      const probe = await database.query
        .selectFrom('secret_probes')
        .select('sealed')
        .where('id', '=', probeId)
        .executeTakeFirst()
      if (probe && (probe.sealed === opened || opens(seal, probe.sealed, probeContext))) {
        opened = probe.sealed
        return null
      }
      const { count, closed } = await trySealedTexts(database, seal)
      // Without a probe, from an earlier release: a few unreadable secrets are damaged; if all are, they belong to another key.
      const isRight = probe ? count > 0 && closed === 0 : count === 0 || closed < count
      if (!isRight) return sentenceOf(count, closed)
      await keepProbe()
      return null
    },
  }
}

const advice = 'Set the SECRET_KEY they were sealed with, or enter them again'

const sentenceOf = (count: number, closed: number): string =>
  closed > 0
    ? `The secret key cannot decrypt ${closed} of ${count} channel keys and options. ${advice}.`
    : 'The secret key is not the one this database was first used with. Set the same SECRET_KEY on every node.'

/** What is sealed in the database, and how much of it a key fails to decrypt. */
export interface SealedTexts {
  readonly count: number
  readonly closed: number
}

/** Tries a key on every channel key and secret option. */
export async function trySealedTexts({ query }: Database, seal: Pick<Seal, 'open'>): Promise<SealedTexts> {
  const channels = await query.selectFrom('channels').select(['id', 'key_sealed', 'secrets_sealed']).execute()
  const options = await query.selectFrom('options').select(['key', 'value']).execute()
  const secrets = options.filter(({ key }) => isOptionKey(key) && isSecretOption(key))
  const texts = [
    ...channels.map(({ id, key_sealed: text }) => ({ text, context: `channels.key_sealed#${id}` as const })),
    ...channels.map(({ id, secrets_sealed: text }) => ({ text, context: `channels.secrets_sealed#${id}` as const })),
    ...secrets.map(({ key, value: text }) => ({ text, context: `options.value#${key}` as const })),
  ].filter(({ text }) => text !== '')
  return { count: texts.length, closed: texts.filter(({ text, context }) => !opens(seal, text, context)).length }
}

/** Returns whether a text was sealed with this key, for its place. */
function opens(seal: Pick<Seal, 'open'>, text: string, context: SealContext): boolean {
  try {
    seal.open(text, context)
    return true
  } catch {
    return false
  }
}
