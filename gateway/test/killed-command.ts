import { DefaultQueryExecutor } from 'kysely'

import { runCommand } from '../src/app/commands/run-command'

/** Runs a command, and dies as by `kill -9` in the middle of a statement, after as many others. */
const [statements = '', ...words] = process.argv.slice(2)
let left = Number(statements)

const { prototype } = DefaultQueryExecutor
const original = Object.getOwnPropertyDescriptor(prototype, 'provideConnection')
  ?.value as typeof prototype.provideConnection
prototype.provideConnection = function dyingConnection<T>(
  this: typeof prototype,
  ...[consumer, options]: Parameters<typeof original<T>>
): Promise<T> {
  // The statement may be on its way, or be done.
  const running = original.call(this, consumer, options) as Promise<T>
  left -= 1
  if (left < 0) process.kill(process.pid, 'SIGKILL')
  return running
}

process.exit(await runCommand(words, { environment: process.env, print: () => {} }))
