import { runCommand } from '../src/app/commands/run-command'
import { PostgresStore } from '../src/operations/move/postgres-store'
import { SqliteStore } from '../src/operations/move/sqlite-store'

/** Moves a database, and dies as by `kill -9` once it has written some rows: before, in or after a transaction. */
const [direction = '', rows = ''] = process.argv.slice(2)
let left = Number(rows)

for (const { prototype } of [PostgresStore, SqliteStore]) {
  const original: Pick<typeof prototype, 'write'> = Object.create(null, Object.getOwnPropertyDescriptors(prototype))
  prototype.write = async function dyingWrite(table, all, mark) {
    left -= all.rows.length
    // The statement may be on its way, or be done.
    const writing = original.write.call(this, table, all, mark)
    if (left < 0) process.kill(process.pid, 'SIGKILL')
    await writing
  }
}

process.exit(
  await runCommand(['move', direction], {
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
  }),
)
