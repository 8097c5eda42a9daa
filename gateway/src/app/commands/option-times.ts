import { defaultOptions, parseOptions, type OptionKey, type OptionValues } from '@tollgate/contract'

import { maxStoredChanges } from '../../channels/catalog/option-changes'
import type { Queries } from '../../platform/store/database'

/** A value of an option and when it was in force, in seconds. */
interface Period<Value> {
  readonly value: Value
  readonly from: number
  readonly until: number
}

/** The values that an option had, as far back as its history goes. */
export class OptionTimes<Key extends OptionKey> {
  private constructor(
    /** In the order of time. Before the first one the value is unknown. */
    readonly periods: readonly Period<OptionValues[Key]>[],
  ) {}

  /** Reads the history of an option. */
  static async read<Key extends OptionKey>(query: Queries, key: Key): Promise<OptionTimes<Key>> {
    const changes = await query
      .selectFrom('option_changes')
      .select(['created_at', 'before', 'after'])
      .where('key', '=', key)
      .orderBy('id')
      .execute()
    const parse = (text: string) => parseOptions(new Map([[key, text]]))[key]
    const [first] = changes
    const periods = changes.map(({ after, created_at: from }, index): Period<OptionValues[Key]> => {
      return { value: parse(after), from, until: changes[index + 1]?.created_at ?? Infinity }
    })
    const isWhole = changes.length < maxStoredChanges
    if (first && isWhole) periods.unshift({ value: parse(first.before), from: -Infinity, until: first.created_at })
    // Set-up and steps of the schema store values without a change.
    const stored = await query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()
    const present = stored ? parse(stored.value) : defaultOptions[key]
    periods.push({ value: present, from: changes.at(-1)?.created_at ?? -Infinity, until: Infinity })
    return new OptionTimes(periods)
  }

  /** Returns all values within `margin` seconds of a moment; null where one is unknown. */
  around(seconds: number, margin: number): OptionValues[Key][] | null {
    const known = this.periods[0]?.from ?? 0
    if (seconds - margin < known) return null
    return this.periods
      .filter(({ from, until }) => from <= seconds + margin && until >= seconds - margin)
      .map(({ value }) => value)
  }
}
