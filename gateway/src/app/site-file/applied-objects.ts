import type { Queries } from '../../platform/store/database'
import type { Section } from './site-file'

/** An object that a file has made, so that it may remove it again. */
export interface AppliedObject {
  readonly kind: Section
  /** The id of a channel or plan, the key of an option, the model of a price. */
  readonly ref: string
  /** Ids may be used again. 0 for an option or a price. */
  readonly createdAt: number
}

/** What files have made so far. */
export class AppliedObjects {
  readonly #createdAt: Map<string, number>

  private constructor(
    private readonly query: Queries,
    rows: readonly (readonly [string, number])[],
  ) {
    this.#createdAt = new Map(rows)
  }

  static async read(query: Queries): Promise<AppliedObjects> {
    const rows = await query.selectFrom('applied_objects').selectAll().execute()
    return new AppliedObjects(
      query,
      rows.map(({ kind, ref, created_at }) => [`${kind} ${ref}`, created_at]),
    )
  }

  has({ kind, ref, createdAt }: AppliedObject): boolean {
    return this.#createdAt.get(`${kind} ${ref}`) === createdAt
  }

  async add({ kind, ref, createdAt }: AppliedObject): Promise<void> {
    await this.query
      .insertInto('applied_objects')
      .values({ kind, ref, created_at: createdAt })
      .onConflict((conflict) => conflict.columns(['kind', 'ref']).doUpdateSet({ created_at: createdAt }))
      .execute()
  }

  async remove({ kind, ref }: Omit<AppliedObject, 'createdAt'>): Promise<void> {
    await this.query.deleteFrom('applied_objects').where('kind', '=', kind).where('ref', '=', ref).execute()
  }
}
