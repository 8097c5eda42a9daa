import type { Database } from '../src/platform/store/database'

/** Resolves with the kinds and amounts of a user's credits, or of those for one order. */
export async function creditsOf(
  { query }: Database,
  userId: number,
  detail?: string,
): Promise<(readonly [kind: string, amount: number])[]> {
  const rows = await query
    .selectFrom('credits')
    .select(['kind', 'amount', 'id'])
    .where('user_id', '=', userId)
    .$if(detail !== undefined, (select) => select.where('detail', '=', detail ?? ''))
    .execute()
  return rows
    .toSorted((one, other) => one.id.localeCompare(other.id))
    .map(({ kind, amount }) => [kind, amount] as const)
}
