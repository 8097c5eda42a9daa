import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The place of a sealed text. A text that is moved to another row or column cannot be decrypted there. */
export type SealContext =
  | `channels.key_sealed#${number}`
  | `channels.secrets_sealed#${number}`
  | `tokens.key_sealed#${number}`
  | `redemption_codes.key_sealed#${number}`
  | `options.value#${string}`
  | `users.webhook_secret_sealed#${number}`
  | `totp_factors.secret_sealed#${number}`
  | `secret_probes.sealed#${number}`
  | `site_notes.value#${string}`
  | `realtime_secrets.sealed#${string}`
  | `task_answers.sealed#${string}`
  | `files.key_sealed#${string}`
  | `batches.key_sealed#${string}`
  | `stored_responses#${string}`
  | `compactions#${number}`
  | `response_turns.sealed#${string}`
  | `conversations.sealed#${string}`
  | `conversation_items.sealed#${string}`
  | `keyed_acts.answer_sealed#${string}`
  | `log_texts.${'context' | 'input' | 'output'}#${string}`

/** Encryption at rest for channel keys, API keys, option secrets and conversations. */
export interface Seal {
  /** Binds the text to its place; without one, as in the earliest releases, it can be decrypted anywhere. */
  seal(plain: string, context?: SealContext): string
  /** @throws Error when the text was sealed with another key or for another place, or changed since. */
  open(sealed: string, context?: SealContext): string
  /** Returns whether the text is bound to its place and sealed with the current key, and needs no resealing. */
  isCurrent(sealed: string): boolean
  /** Returns a short text that only a holder of the key can derive from these parts. */
  sign(purpose: string, ...parts: readonly (string | number)[]): string
}

const unboundVersion = 'v1.'
const version = 'v2.'
const nonceLength = 12
const tagLength = 16

/** The form of a text bound to its place: the version, the name of its key, and the bytes. */
const boundText = /^v2\.([0-9a-f]{8})\.([\w-]+)$/

export const isSealedText = (text: string): boolean => boundText.test(text)

interface Key {
  /** The first digits of the key's own digest: tells which of several keys sealed a text. */
  readonly name: string
  readonly bytes: Uint8Array
}

const deriveKey = (secret: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'tollgate', purpose, 32))

const keyOf = (secret: Uint8Array): Key => ({
  name: Buffer.from(deriveKey(secret, 'at-rest-name')).toString('hex').slice(0, 8),
  bytes: deriveKey(secret, 'at-rest'),
})

/**
 * AES-256-GCM under a key derived from the operator's secret. `previous` is a secret from before a change: it decrypts what is not
 * resealed yet, and seals nothing.
 */
export function createSeal(secret: Uint8Array, previous?: Uint8Array): Seal {
  const key = keyOf(secret)
  const keys = previous ? [key, keyOf(previous)] : [key]
  const signingKey = deriveKey(secret, 'signing')
  return {
    seal: (plain, context) =>
      context === undefined
        ? unboundVersion + encrypt(plain, key, '')
        : `${version}${key.name}.${encrypt(plain, key, context)}`,
    open(text, context) {
      const [, name, bytes] = boundText.exec(text) ?? []
      if (bytes !== undefined) return openedByOne(bytes, keysNamed(keys, name), context ?? '')
      if (!text.startsWith(unboundVersion)) throw new Error('Not a sealed text')
      return openedByOne(text.slice(unboundVersion.length), keys, '')
    },
    isCurrent: (text) => text.startsWith(`${version}${key.name}.`),
    sign: (purpose, ...parts) =>
      createHmac('sha256', signingKey)
        .update(JSON.stringify([purpose, ...parts]))
        .digest('base64url'),
  }
}

const keysNamed = (keys: readonly Key[], name: string | undefined) => keys.filter((key) => key.name === name)

function encrypt(plain: string, { bytes }: Key, context: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
  if (context !== '') cipher.setAAD(Buffer.from(context))
  const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

function openedByOne(text: string, keys: readonly Key[], context: string): string {
  let failure: unknown = new Error('Sealed with another key')
  for (const key of keys) {
    try {
      return decrypt(text, key, context)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function decrypt(text: string, key: Key, context: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceLength))
  if (context !== '') decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-tagLength))
  const plain = decipher.update(bytes.subarray(nonceLength, -tagLength))
  return Buffer.concat([plain, decipher.final()]).toString('utf8')
}

/** SHA-256 in hex: how keys, sessions and access tokens are looked up. */
export const sha256 = (text: string): string => Bun.SHA256.hash(text, 'hex')
