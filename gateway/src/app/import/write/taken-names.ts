import { sql } from 'kysely'

import { usernameKey } from '../../../accounts/users/usernames'
import type { Transaction } from '../../../platform/store/database'
import { sha256 } from '../../../platform/store/seal'
import type { SourceUser } from '../site-source'

const kinds = ['name', 'mail', 'code', 'access'] as const
type Kind = (typeof kinds)[number]

const keyOf: Readonly<Record<Kind, (text: string) => string>> = {
  name: usernameKey,
  mail: (text) => text.toLowerCase(),
  code: (text) => text,
  access: sha256,
}

/** Names that one user alone can have: those that earlier pages gave away, and those claimed since. */
export class TakenNames {
  readonly #taken = new Set<string>()

  /** Resolves with those among a page's names that users of earlier pages have. */
  static async among(users: readonly SourceUser[], query: Transaction): Promise<TakenNames> {
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
          users.flatMap(({ username, id }) => [username, `${username}_${id}`]),
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

  /** Takes a name. Returns false for an empty one, and where another user has it. */
  claim(kind: Kind, text: string): boolean {
    const key = `${kind} ${keyOf[kind](text)}`
    if (text === '' || this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }
}
