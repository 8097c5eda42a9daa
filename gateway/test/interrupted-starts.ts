import { expect } from 'bun:test'

import type { Database } from '../src/platform/store/database'
import { migrate } from '../src/platform/store/migrate'
import { faultyDatabase, LostConnection } from './faulty-database'

/**
 * Brings the schema up to date by starts that end one after the other: at each statement outside of a transaction, and at each commit, when
 * all statements before it have run. Resolves with how many there were before the one that was completed.
 */
export async function interruptStarts(database: Database): Promise<number> {
  for (let interruptions = 0; ; interruptions += 1) {
    let places = 0
    let isInside = false
    const failure = await migrate(
      faultyDatabase(database, (statement) => {
        const isPlace = !isInside || statement === 'commit'
        isInside = statement === 'begin' || (isInside && statement !== 'commit')
        return isPlace && places++ === interruptions ? 'refused' : 'none'
      }),
    ).then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.cause ?? error) : error),
    )
    if (failure === null) return interruptions
    expect(failure).toBeInstanceOf(LostConnection)
  }
}
