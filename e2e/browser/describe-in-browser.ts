import { describe } from 'bun:test'

import { chromiumPath } from './chromium'

/** A group of tests in a real browser, skipped where none is installed. */
export const describeInBrowser = describe.skipIf(chromiumPath === null)
