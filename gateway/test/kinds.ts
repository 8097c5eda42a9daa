import type { DatabaseKind } from '../src/platform/store/database'

/** The available databases, for suites that build a world of their own on each. */
export const kinds: readonly DatabaseKind[] = process.env['TEST_POSTGRES_URL'] ? ['sqlite', 'postgres'] : ['sqlite']
