import { sql } from 'kysely'

import { usernameKey } from '../../../accounts/users/usernames'
import type { Transaction } from '../../../platform/store/database'
import { sha256 } from '../../../platform/store/seal'
import type { SourceUser } from '../site-source'

type NamedUser = Pick<SourceUser, 'id' | 'username' | 'email' | 'inviteCode' | 'accessToken'>

const kinds = ['name', 'mail', 'code', 'access'] as const
type Kind = (typeof kinds)[number]

const keyOf: Readonly<Record<Kind, (text: string) => string>> = {
  name: usernameKey,
  mail: (text) => text.toLowerCase(),
  code: (text) => text,
  access: sha256,
}

/** Returns the name of a user as it can be typed at the sign-in. */
export function typedName({ id, username }: Pick<SourceUser, 'id' | 'username'>): string {
  const plain = username.normalize('NFC').replace(/[@\p{C}]/gu, '_')
  return plain === '' ? `user_${id}` : plain
}

/** Returns the names that a user may have instead of a taken one. The last has a form that no one chooses. */
const otherNames = (name: string, id: number): readonly string[] => [
  `${name}_${id}`,
  `${name}_${id}_${id}`,
  `user:${id}`,
]

/** Names that one user alone can have: those that earlier pages gave away, and those claimed since. */
export class TakenNames {
  readonly #taken = new Set<string>()

  /** Resolves with those among a page's names that users of earlier pages have. */
  static async among(users: readonly NamedUser[], query: Transaction): Promise<TakenNames> {
    const taken = new TakenNames()
    const keys = (kind: Kind, texts: readonly string[]) => [...new Set(texts.map((text) => keyOf[kind](text)))]
    const select = query.selectFrom('users')
    const names = await select
      .select('username_key as key')
      .where(
        'username_key',
        'in',
        keys(
          'name',
          users.flatMap((user) => [typedName(user), ...otherNames(typedName(user), user.id)]),
        ),
      )
      .execute()
    const mails = await select
      .select(sql<string>`lower(email)`.as('key'))
      .where('deleted_at', 'is', null)
      .where(
        sql<string>`lower(email)`,
        'in',
        keys(
          'mail',
          users.map(({ email }) => email),
        ),
      )
      .execute()
    const codes = await select
      .select('aff_code as key')
      .where(
        'aff_code',
        'in',
        keys(
          'code',
          users.map(({ inviteCode }) => inviteCode),
        ),
      )
      .execute()
    const tokens = await select
      .select('access_token_hash as key')
      .where(
        'access_token_hash',
        'in',
        keys(
          'access',
          users.map(({ accessToken }) => accessToken),
        ),
      )
      .execute()
    const found = { name: names, mail: mails, code: codes, access: tokens }
    for (const kind of kinds) for (const { key } of found[kind]) taken.#taken.add(`${kind} ${key ?? ''}`)
    return taken
  }

  /** Takes a name for a user whose own is taken, and returns it. */
  claimOther(name: string, id: number): string {
    const other = otherNames(name, id).find((free) => this.claim('name', free))
    if (other === undefined) throw new Error(`No name is left for the user ${id}`)
    return other
  }

  /** Takes a name. Returns false for an empty one, and where another user has it. */
  claim(kind: Kind, text: string): boolean {
    const key = `${kind} ${keyOf[kind](text)}`
    if (text === '' || this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }
}
