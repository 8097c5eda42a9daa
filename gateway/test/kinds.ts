import { test } from 'bun:test'

import type { DatabaseKind } from '../src/platform/store/database'

/** The available databases, for suites that build a world of their own on each. */
export const kinds: readonly DatabaseKind[] = process.env['TEST_POSTGRES_URL'] ? ['sqlite', 'postgres'] : ['sqlite']

/** Takes a test, or rows and a test, and defines none. */
const noTest = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test

/** Returns `test` for SQLite. For PostgreSQL it defines nothing: for rules whose statements other tests run on both databases. */
export const onceOf = (kind: DatabaseKind): typeof test => (kind === 'sqlite' ? test : noTest)
