import type { Simulator } from '@tollgate/simulator'
import { join } from 'node:path'

import { clientOf, type ClientId } from '../../console/src/features/connect/clients/clients'
import { closedEnvironment } from './closed-environment'
import type { Finding } from './finding'
import { programIn, type Installed, type Package } from './install'
import { run } from './run-program'

/** Clients of the console's page for connecting whose lines are a whole program. */
export const lineClients = ['langchain', 'ai-sdk', 'curl'] as const satisfies readonly ClientId[]

interface Place {
  /** The address of the gateway, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly model: string
}

const stepsOf = (id: ClientId, { url, key, model }: Place) => clientOf(id).steps({ address: url, apiKey: key, model })

/** Returns what the first line installs, such as `pip install langchain-openai`; nothing where there is no such line. */
export function packageOf(id: ClientId): Package {
  for (const step of stepsOf(id, { url: '', key: '', model: '' })) {
    const [installer, , ...names] = (step.kind === 'terminal' && step.command) || []
    if (installer) return { from: installer === 'pip' ? 'pypi' : 'npm', names }
  }
  return { from: 'npm', names: [] }
}

const reply = 'All lines arrive.'
const timeoutMs = 120_000

interface Trial {
  readonly id: ClientId
  readonly installed: Installed
  readonly simulator: Simulator
  readonly place: Place
}

/** Runs the program as the page has it, beside what its first line installs. It prints what the model says. */
export async function tryLines({ id, installed, simulator, place }: Trial): Promise<Finding> {
  simulator.reset()
  simulator.when(() => true, { text: reply, toolCalls: 0 })
  const step = stepsOf(id, place).find(({ kind }) => kind === 'code')
  if (step?.kind !== 'code') return { passed: [], problems: ['The page has no code'] }
  const { program, name } = runtimes[step.language] ?? { program: 'bash', name: 'lines.sh' }
  const path = join(installed.folder, name)
  await Bun.write(path, step.text)
  const command = program === 'python' ? programIn(installed, { from: 'pypi', program }) : program
  const env = closedEnvironment(installed.folder)
  const { exitCode, output } = await run([command, path], { env, cwd: installed.folder, timeoutMs })
  return exitCode === 0 && output.includes(reply)
    ? { passed: ['w'], problems: [] }
    : { passed: [], problems: [output.slice(-3000)] }
}

const runtimes: Readonly<Record<string, { readonly program: string; readonly name: string }>> = {
  python: { program: 'python', name: 'lines.py' },
  // Without a type in it, TypeScript is JavaScript.
  typescript: { program: 'node', name: 'lines.mjs' },
}
