import { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'

/** Findings are reused for this many milliseconds: each examination is a process of its own. */
const keptMs = 5000

interface Look {
  readonly beganAt: number
  readonly found: Promise<systemRoutes.Examination>
}

const looks = new WeakMap<Pick<Context, 'runCommand'>, Look>()

/** Returns what the command `doctor` finds on this node. */
export function examination(ctx: Pick<Context, 'clock' | 'runCommand'>): Promise<systemRoutes.Examination> {
  const known = looks.get(ctx)
  const now = ctx.clock.monotonic()
  if (known && now - known.beganAt < keptMs) return known.found
  const found = look(ctx)
  looks.set(ctx, { beganAt: now, found })
  return found
}

async function look({ runCommand }: Pick<Context, 'runCommand'>): Promise<systemRoutes.Examination> {
  const { code, output } = await runCommand(['doctor', '--json'])
  const line = output.split('\n').findLast((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`The doctor ended with code ${code}: ${output}`)
  return systemRoutes.Examination.parse(JSON.parse(line))
}
