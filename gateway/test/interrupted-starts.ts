import { expect } from 'bun:test'

import type { Database } from '../src/platform/store/database'
import { migrate } from '../src/platform/store/migrate'
import { faultyDatabase, LostConnection, type Fault } from './faulty-database'

/**
 * Brings the schema up to date by starts that end at one statement after the other, each `stride` further than the one before. Resolves with
 * how many there were before the one that was completed.
 */
export async function interruptStarts(database: Database, stride = 1): Promise<number> {
  for (let interruptions = 0; ; interruptions += 1) {
    let statements = 0
    const next = (): Fault => (statements++ === interruptions * stride ? 'refused' : 'none')
    const failure = await migrate(faultyDatabase(database, next)).then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.cause ?? error) : error),
    )
    if (failure === null) return interruptions
    expect(failure).toBeInstanceOf(LostConnection)
  }
}
