import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Simulation } from '../../test/simulation/simulation'

const allSteps = Number(process.env['SIMULATION_STEPS'] ?? 300_000)
/** The same each time, so that a change is judged by itself; other seeds and more steps by the environment. */
const firstSeed = Number(process.env['SIMULATION_SEED'] ?? 20_000)
const stepsASeed = 50_000

/** Files that nobody needs afterwards are in memory where that can be. */
const temporary = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

async function simulate(seed: number, steps: number): Promise<void> {
  const folder = mkdtempSync(join(temporary, 'tollgate-simulation-'))
  const simulation = await Simulation.create({ seed, folder })
  try {
    for (let step = 0; step < steps; step += 1) await simulation.step()
    await simulation.finish()
  } catch (error) {
    throw new Error(
      `SIMULATION_SEED=${seed} SIMULATION_STEPS=${steps} at step ${simulation.trail.step}: ${String(error)}\n${simulation.trail.toString()}`,
      { cause: error },
    )
  } finally {
    await simulation.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the laws of the ledger hold at each of hundreds of thousands of steps, whatever is lost, repeated or dies', async () => {
  process.stdout.write(`SIMULATION_SEED=${firstSeed} SIMULATION_STEPS=${allSteps}\n`)
  let left = allSteps
  for (let seed = firstSeed; left > 0; seed += 1) {
    const steps = Math.min(left, stepsASeed)
    await simulate(seed, steps)
    left -= steps
  }
  expect(left).toBe(0)
}, 600_000)
