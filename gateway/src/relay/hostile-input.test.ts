import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import * as fc from 'fast-check'

import { relayCalls } from '../../test/fuzz/relay-calls'
import { createRelayTarget, type RelayTarget } from '../../test/fuzz/relay-target'
import { kinds } from '../../test/kinds'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

/** The same calls at each run; `bun run fuzz` sends others, and many more. */
const samples = { numRuns: 60, seed: 1 }

describe.each(kinds)('hostile model calls (%s)', (kind) => {
  let target: RelayTarget
  beforeAll(async () => {
    target = await createRelayTarget(kind)
  })
  afterAll(() => target[Symbol.asyncDispose]())

  test('hostile model calls get an error of their dialect, and what was served is what was charged', async () => {
    const check = fc.asyncProperty(relayCalls, async (call) => {
      expect(await target.attempt(call)).toBeNull()
    })
    await fc.assert(check, samples)
    expect(await target.audit()).toBeNull()
  })
})
