import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import * as fc from 'fast-check'

import { handlers } from '../../test/all-handlers'
import { consoleCalls } from '../../test/fuzz/console-calls'
import { createConsoleTarget, type ConsoleTarget } from '../../test/fuzz/console-target'
import { kinds } from '../../test/kinds'

setDefaultTimeout(120_000)

/** The same calls at each run; `bun run fuzz` sends others, and many more. */
const samples = { numRuns: 60, seed: 1 }

describe.each(kinds)('hostile calls of the console (%s)', (kind) => {
  let target: ConsoleTarget
  beforeAll(async () => {
    target = await createConsoleTarget(kind, handlers)
  })
  afterAll(() => target[Symbol.asyncDispose]())

  test('hostile console calls get an envelope, and leave nothing where they are refused', async () => {
    const check = fc.asyncProperty(consoleCalls(handlers), async (call) => {
      expect(await target.attempt(call)).toBeNull()
    })
    await fc.assert(check, samples)
  })
})
