import { sha256 } from '../../platform/store/seal'
import type { Transaction } from '../../platform/store/database'

/** By what a person who signs up is known again. */
export interface Newcomer {
  /** At a provider. */
  readonly identity?: { readonly provider: string; readonly subject: string }
  readonly email?: string
}

/**
 * Registers who signs up, for good: unlinking an account at a provider, changing an address or closing the account does not make them new
 * again. Resolves with whether none of it was registered before.
 */
export async function registerNewcomer(
  { identity, email }: Newcomer,
  createdAt: number,
  transaction: Transaction,
): Promise<boolean> {
  const names = [
    ...(identity ? [{ kind: identity.provider, name_hash: sha256(identity.subject) }] : []),
    ...(email === undefined ? [] : [{ kind: 'mail', name_hash: sha256(mailboxOf(email)) }]),
  ]
  let isNew = true
  for (const name of names) {
    const added = await transaction
      .insertInto('newcomers')
      .values({ ...name, created_at: createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('kind')
      .executeTakeFirst()
    isNew &&= added !== undefined
  }
  return isNew
}

interface MailProvider {
  /** The first stands for all. */
  readonly hosts: readonly string[]
  /** Returns the name without what the provider does not tell apart. */
  readonly plain: (name: string) => string
}

const providers: readonly MailProvider[] = [
  { hosts: ['gmail.com', 'googlemail.com'], plain: (name) => name.replaceAll('.', '') },
  { hosts: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], plain: (name) => name.replace(/[._-]/g, '') },
  { hosts: ['icloud.com', 'me.com', 'mac.com'], plain: (name) => name },
  { hosts: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz'], plain: (name) => name.replaceAll('-', '.') },
]
const providerOf = new Map(providers.flatMap((provider) => provider.hosts.map((host) => [host, provider] as const)))

/** Returns the address under which a mailbox is known, whatever its owner writes into it: without a tag, and in lower case. */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const [name = ''] = address.slice(0, at).split('+', 1)
  const provider = providerOf.get(host)
  return provider ? `${provider.plain(name)}@${provider.hosts[0]}` : `${name}@${host}`
}
