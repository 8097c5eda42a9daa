import { sha256 } from '../../store/seal'
import type { Transaction } from '../../store/database'

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

/** Hosts that ignore dots in the name of a mailbox. */
const dotless: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/** Returns the address under which a mailbox is known, whatever its owner writes into it: without a tag, and in lower case. */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const host = address.slice(at + 1)
  const [name = ''] = address.slice(0, at).split('+', 1)
  return dotless.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}
