import { expect, setDefaultTimeout, test } from 'bun:test'

import { openGate } from '@tollgate/simulator'

import { startGateway } from '../gateway'

// above every time limit inside, so that the reason is told
setDefaultTimeout(60_000)

test.concurrent.each(['refuses', 'hangs'])(
  'a start whose PostgreSQL %s ends soon, with a sentence and without the password',
  async (how) => {
    await using gate = await openGate(1)
    if (how === 'hangs') gate.hang()
    else await gate.refuse()
    const databaseUrl = `postgres://tollgate:a-secret@127.0.0.1:${gate.port}/tollgate`
    const failure = await startGateway({ databaseUrl }).then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    expect(failure).toContain('The gateway ended with 1')
    expect(failure).toContain('The database does not answer: ')
    expect(failure).toContain('tollgate doctor')
    expect(failure).not.toContain('a-secret')
    expect(failure).not.toContain('    at ')
  },
)
