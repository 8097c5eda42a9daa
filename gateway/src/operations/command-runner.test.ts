import { expect, test } from 'bun:test'

import { commandRunner } from './command-runner'

test.each([
  ['what it printed', 'echo done; echo aside >&2', { code: 0, output: 'done' }],
  ['its errors where it printed nothing', 'echo failed >&2; exit 3', { code: 3, output: 'failed' }],
  ['what it read in the environment it was given', 'echo "$PLACE"', { code: 0, output: 'here' }],
])('a command that has ended is reported with %s', async (_, script, result) => {
  expect(await commandRunner(['/bin/sh', '-c'], { PLACE: 'here' })([script])).toEqual(result)
})
