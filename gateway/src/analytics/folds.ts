import type { Queries } from '../store/database'
import { userPacks } from './user-packs'
import type { Folds } from './fold-reach'

/** What every worker of this release adds late charges to, as it says in the list of workers. */
export const sumsKnown = 3

/** The first release's sums are known to all workers; those by pairs, those of longer times and packs came later. */
const knowledgeFor = (number: number): number => {
  if (userPacks.some((pack) => pack.number === number)) return 3
  if (number > 100) return 2
  return number > 10 ? 1 : 0
}

export async function readFolds(query: Queries): Promise<Folds> {
  const rows = await query
    .selectFrom('usage_folds')
    .select((eb) => [
      'dimension',
      'until',
      eb
        .selectFrom('workers')
        .select((workers) => workers.fn.min('adds_pairs').as('least'))
        .as('known'),
    ])
    .execute()
  const untils = new Map(
    rows.map(({ dimension, until, known }) => [dimension, (known ?? sumsKnown) >= knowledgeFor(dimension) ? until : 0]),
  )
  return { until: (number) => untils.get(number) ?? 0 }
}

/** There is a worker of an earlier release, which charges late without adding to these sums. */
export async function hasOutdatedWorker(query: Queries, number: number): Promise<boolean> {
  const worker = await query
    .selectFrom('workers')
    .select('id')
    .where('adds_pairs', '<', knowledgeFor(number))
    .limit(1)
    .executeTakeFirst()
  return worker !== undefined
}

/** The database, and how far the sums in it are made. */
export interface Books {
  readonly query: Queries
  readonly folds: Folds
}

export const openBooks = async (query: Queries): Promise<Books> => ({ query, folds: await readFolds(query) })
