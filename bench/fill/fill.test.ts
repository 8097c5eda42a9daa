import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runCommand } from '../../gateway/src/commands/run-command'
import { eachDatabase, emptyDatabase } from '../../gateway/test/databases'

interface Reconciled {
  readonly compared: Record<string, number>
  readonly differences: readonly { readonly check: string }[]
}

/** Log rows are filled in, but none of the single charges that the last thirty days' hours are compared with. */
const isOfCharges = (check: string): boolean => check === 'hour-quota' || check === 'hour-count'

const sizes = { logs: 150, users: 40, tokens: 10, channels: 20, models: 10 }

for (const kind of eachDatabase) {
  test(`the counters and sums of a site that is filled agree (${kind})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-fill-'))
    const elsewhere = kind === 'postgres' ? await emptyDatabase('postgres') : null
    try {
      const options = Object.entries(sizes).flatMap(([name, count]) => [`--${name}`, String(count)])
      if (elsewhere) options.push('--database-url', elsewhere.location)
      const filled = Bun.spawn([process.execPath, join(import.meta.dir, 'fill.ts'), '--data', folder, ...options], {
        stdout: 'ignore',
        stderr: 'pipe',
      })
      const complaint = await new Response(filled.stderr).text()
      expect({ code: await filled.exited, complaint }).toEqual({ code: 0, complaint: '' })

      const environment = { DATA_DIR: folder, DATABASE_URL: elsewhere?.location ?? '' }
      const lines: string[] = []
      await runCommand(['reconcile', '--json'], { environment, print: (line) => lines.push(line) })
      const { compared, differences } = JSON.parse(lines.join('\n')) as Reconciled
      expect(compared).toMatchObject({ users: sizes.users, tokens: sizes.tokens, channels: sizes.channels })
      expect(differences.filter(({ check }) => !isOfCharges(check))).toEqual([])
    } finally {
      await elsewhere?.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
}
