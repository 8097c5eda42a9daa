import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import { runCommand } from '../../gateway/src/app/commands/run-command'
import { eachDatabase, emptyDatabase } from '../../gateway/test/databases'

interface Reconciled {
  readonly compared: Record<string, number>
  readonly differences: readonly { readonly check: string }[]
}

/** Log rows are filled in, but none of the single charges that they and the last thirty days' hours are compared with. */
const isOfCharges = (check: string): boolean => ['hour-quota', 'hour-count', 'log-rows'].includes(check)

const sizes = { logs: 60, users: 6, tokens: 10, channels: 20, models: 10, acts: 40, tasks: 600 }

for (const kind of eachDatabase) {
  test(`a filled site has counters and sums that agree, and an owner for every call (${kind})`, async () => {
    const site = await emptyDatabase(kind)
    const isLocal = kind === 'sqlite'
    const dataDir = isLocal ? dirname(site.location) : mkdtempSync(join(tmpdir(), 'tollgate-fill-'))
    try {
      const options = Object.entries(sizes).flatMap(([name, count]) => [`--${name}`, String(count)])
      if (!isLocal) options.push('--database-url', site.location)
      const filled = Bun.spawn([process.execPath, join(import.meta.dir, 'fill.ts'), '--data', dataDir, ...options], {
        stdout: 'ignore',
        stderr: 'pipe',
      })
      const complaint = await new Response(filled.stderr).text()
      expect({ code: await filled.exited, complaint }).toEqual({ code: 0, complaint: '' })

      const environment = { DATA_DIR: dataDir, DATABASE_URL: isLocal ? '' : site.location }
      const lines: string[] = []
      await runCommand(['reconcile', '--json'], { environment, print: (line) => lines.push(line) })
      const { compared, differences } = JSON.parse(lines.join('\n')) as Reconciled
      expect(compared).toMatchObject({ users: sizes.users, tokens: sizes.tokens, channels: sizes.channels })
      expect(differences.filter(({ check }) => !isOfCharges(check))).toEqual([])
      const strangers = sql`select id from logs where user_id not in (select id from users)`
      const open = sql`select id from tasks where poll_at is not null`
      expect((await open.execute(site.database.query)).rows).toHaveLength(2)
      expect((await strangers.execute(site.database.query)).rows).toEqual([])
    } finally {
      await site.drop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 120_000)
}
