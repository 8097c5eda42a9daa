import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Simulator } from '@tollgate/simulator'

import { closedEnvironment } from '../closed-environment'
import type { Finding } from '../finding'
import { programIn, type Installed } from '../install'
import { run } from '../run-program'
import type { Framework } from './framework'

interface Trial {
  readonly framework: Framework
  readonly variant: string
  readonly installed: Installed
  readonly simulator: Simulator
  /** The address of the gateway, without a slash at its end. */
  readonly place: { readonly url: string; readonly key: string; readonly model: string }
}

const programs = join(import.meta.dir, 'programs')
const timeoutMs = 120_000

/** Runs the program of a framework. The model calls each tool that it is offered once, and then answers. */
export async function tryFramework({ framework, variant, installed, simulator, place }: Trial): Promise<Finding> {
  const home = mkdtempSync(join(tmpdir(), 'tollgate-framework-'))
  try {
    simulator.reset()
    // Modules are looked for beside the program that imports them.
    cpSync(programs, installed.folder, { recursive: true })
    const { from } = framework.package
    const runtime = from === 'npm' ? 'node' : programIn(installed, { from, program: 'python' })
    const { output } = await run([runtime, join(installed.folder, framework.program), variant], {
      cwd: home,
      env: { ...closedEnvironment(home), URL: place.url, KEY: place.key, MODEL: place.model },
      timeoutMs,
    })
    const passed = [...output.matchAll(/^works: (\w)$/gm)].map(([, aspect = '']) => aspect)
    const isWhole = passed.length > 0 && !/^fails: /m.test(output)
    return { passed, problems: isWhole ? [] : [output.slice(-4000)] }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
