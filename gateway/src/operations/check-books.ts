import type { Queries } from '../platform/store/database'
import type { Examined } from './check-database'
import { fail, ok, sentence, type Finding } from './finding'
import { unbalanced } from './unbalanced'

const subject = 'books'
const usersAtOnce = 500
/** Later users are left to `reconcile`. */
const longestMs = 2000

/** Checks for a short time that balances are what was credited minus what was used. */
export async function checkBooks({ database, tables }: Examined, now: () => number): Promise<Finding> {
  if (!database || tables !== 'there') return ok(subject, sentence('books.none'))
  const { query } = database
  const began = now()
  let checked = 0
  for (let last = 0; ;) {
    const ids = await idsAfter(query, last)
    const range = { from: last + 1, to: ids.length < usersAtOnce ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? last) }
    const [first] = await unbalanced(query, 1, range)
    if (first) {
      const { id, found, expected } = first
      return fail(subject, sentence('books.differ', { user: id, found, expected }), sentence('books.advice'))
    }
    checked += ids.length
    last = range.to
    if (ids.length < usersAtOnce) return ok(subject, sentence('books.good', { count: checked }))
    if (now() - began > longestMs) return ok(subject, sentence('books.some', { count: checked }))
  }
}

async function idsAfter(query: Queries, last: number): Promise<number[]> {
  const users = query.selectFrom('users').select('id').where('id', '>', last).orderBy('id').limit(usersAtOnce)
  return (await users.execute()).map(({ id }) => id)
}
