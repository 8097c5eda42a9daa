import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { between, spentByFunction, spentByStage, type CpuProfile, type Spent } from './cpu-profile'
import { Lab } from './lab'
import { measure, warmUp } from './measure'
import { shareCores } from './processes'
import {
  bodyScenarios,
  callScenarios,
  passedScenarios,
  streamScenarios,
  translatedScenarios,
  type Scenario,
} from './scenarios'
import { table } from './tables'
import { startTollgate } from './tollgate'

const root = join(import.meta.dir, '..')
const maxRows = 40
const sampleMicroseconds = 250

/**
 * The governed gateway under one scenario and the runtime's profiler. Answers where a call spends its time, in Markdown.
 * @throws Error when there is no such scenario.
 */
export async function profileScenario(name: string, milliseconds: number): Promise<string> {
  const all = [callScenarios, bodyScenarios, streamScenarios, passedScenarios, translatedScenarios].flat()
  const scenario = all.find((one) => one.name === name)
  if (!scenario) throw new Error(`Unknown scenario: ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-profile-'))
  try {
    const { calls, workerId, from, to } = await captureProfile(scenario, milliseconds, folder)
    const file = readdirSync(folder).find((file) => file.includes(`.${workerId}.`))
    if (!file) throw new Error('The worker left no profile')
    const profile = between((await Bun.file(join(folder, file)).json()) as CpuProfile, from, to)
    return [
      `${calls} calls (${scenario.title}); microseconds a call by samples that the profiler took each ${sampleMicroseconds} µs.`,
      spentTable('Stage', spentByStage(profile, root), calls),
      spentTable('Function', spentByFunction(profile, root), calls),
    ].join('\n\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function captureProfile(scenario: Scenario, milliseconds: number, folder: string) {
  const flags = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=${sampleMicroseconds}`
  // From the sources, whose files it names.
  const program = [process.execPath, 'gateway/src/main.ts']
  const env = { BUN_OPTIONS: flags }
  await using lab = await Lab.open(shareCores(), [(ground) => startTollgate(ground, { env, program })])
  const [target] = lab.targets
  if (!target) throw new Error('The gateway is missing')
  const [, workerId] = target.processIds()
  await warmUp(lab)
  const from = Date.now()
  const { calls } = await measure(lab, target, scenario, milliseconds)
  const to = Date.now()
  const { wrong } = await lab.close()
  if (wrong.length > 0) throw new Error(`Void: ${wrong.join('; ')}`)
  return { calls, workerId, from, to }
}

function spentTable(what: string, spent: Spent, calls: number): string {
  const total = spent.reduce((sum, [name, time]) => sum + (name === '(idle)' ? 0 : time), 0)
  const rows = spent
    .filter(([name]) => name !== '(idle)')
    .slice(0, maxRows)
    .map(([name, time]) => [name, (time / calls).toFixed(2), `${((time / total) * 100).toFixed(1)} %`])
  return table([what, 'µs/call', 'share'], rows)
}
