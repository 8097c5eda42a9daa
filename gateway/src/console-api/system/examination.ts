import { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Language } from '../../http/language'

/** Findings are reused for this many milliseconds: each examination is a process of its own. */
const cacheMs = 5000

interface CachedExamination {
  readonly beganAt: number
  readonly found: Promise<systemRoutes.Examination>
}

type Doctor = Pick<Context, 'clock' | 'runCommand'>

const looks: Readonly<Record<Language, WeakMap<Doctor, CachedExamination>>> = { en: new WeakMap(), zh: new WeakMap() }

/** Returns what the command `doctor` finds on this node. */
export function examination(ctx: Doctor, language: Language): Promise<systemRoutes.Examination> {
  const known = looks[language].get(ctx)
  const now = ctx.clock.monotonic()
  if (known && now - known.beganAt < cacheMs) return known.found
  const found = examine(ctx, language)
  looks[language].set(ctx, { beganAt: now, found })
  return found
}

async function examine({ runCommand }: Doctor, language: Language): Promise<systemRoutes.Examination> {
  const { code, output } = await runCommand(['doctor', '--json', `--language=${language}`])
  const line = output.split('\n').findLast((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`The doctor ended with code ${code}: ${output}`)
  return systemRoutes.Examination.parse(JSON.parse(line))
}
