import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../../e2e/gateway'
import { familyOf } from '../processes'
import { spawnQuietly, untilItListens, type Starter } from '../targets'

/** What a gateway on this runtime cannot do without, each more than the one before it. */
const names = {
  server: 'the runtime’s server',
  relay: 'and a call upstream',
  append: 'and one durable append',
} as const

export type Rung = keyof typeof names

export const rungs = Object.keys(names) as Rung[]

export const isRung = (text: string): text is Rung => text in names

/** Starts a gateway that does this and nothing else. */
export const startRung =
  (rung: Rung): Starter =>
  async ({ upstream, cores }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-floor-'))
    const port = freePort()
    const program = join(import.meta.dir, 'bare-gateway.ts')
    const orders = [rung, String(port), upstream.url, join(folder, 'journal')]
    const child = spawnQuietly([...cores.launcher, process.execPath, program, ...orders])
    await untilItListens(port)
    return {
      name: names[rung],
      port,
      key: 'sk-upstream',
      translates: false,
      processIds: () => familyOf(child.pid),
      async stop() {
        child.kill('SIGTERM')
        await child.exited
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
