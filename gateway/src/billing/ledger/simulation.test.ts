import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onDatabase } from '../../../test/databases'
import { openPostgresBackend } from '../../../test/simulation/postgres-backend'
import { Simulation, type SimulationOptions } from '../../../test/simulation/simulation'
import { openSqliteBackend } from '../../../test/simulation/sqlite-backend'

const sqliteSteps = Number(process.env['SIMULATION_STEPS'] ?? 25_000)
/** A step takes ten times as long as with SQLite, so more of the steps break something. */
const postgresSteps = Number(process.env['SIMULATION_STEPS'] ?? 2_000)
const postgresHarshness = 4
/** The same each time, so that a change is judged by itself; other seeds and more steps by the environment. */
const firstSeed = Number(process.env['SIMULATION_SEED'] ?? 20_000)
const stepsPerSeed = 12_500

/** Far more than the steps take, however many the environment wants. */
const timeoutMs = (steps: number) => 600_000 + 10 * steps

/** At the end, and on the way every 5,000 steps or as soon as no transaction is open. */
const minChecks = (steps: number) => 1 + Math.floor(steps / 10_000)

/** In memory where possible: nothing of it outlives the test. */
const temporary = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Resolves with how often everything in the database was held against the laws on the way. */
async function simulate(options: Omit<SimulationOptions, 'folder'>, steps: number): Promise<number> {
  const folder = mkdtempSync(join(temporary, 'tollgate-simulation-'))
  const simulation = await Simulation.create({ ...options, folder })
  try {
    for (let step = 0; step < steps; step += 1) await simulation.step()
    await simulation.finish()
    return simulation.fullChecks
  } catch (error) {
    throw new Error(
      `SIMULATION_SEED=${options.seed} SIMULATION_STEPS=${steps} at step ${simulation.trail.step}: ${String(error)}\n${simulation.trail.toString()}`,
      { cause: error },
    )
  } finally {
    await simulation.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test(
  'the laws of the ledger hold at every step, whatever is lost, repeated or dies',
  async () => {
    process.stdout.write(`SIMULATION_SEED=${firstSeed} SIMULATION_STEPS=${sqliteSteps}\n`)
    let checks = 0
    for (let seed = firstSeed, left = sqliteSteps; left > 0; seed += 1, left -= stepsPerSeed)
      checks += await simulate({ seed, openBackend: openSqliteBackend }, Math.min(left, stepsPerSeed))
    expect(checks).toBeGreaterThanOrEqual(minChecks(sqliteSteps))
  },
  timeoutMs(sqliteSteps),
)

onDatabase('postgres', 'transactions side by side', (world) => {
  test(
    'keep the laws of the ledger at every step and never deadlock, whatever is lost, repeated or dies',
    async () => {
      process.stdout.write(`SIMULATION_SEED=${firstSeed} SIMULATION_STEPS=${postgresSteps}\n`)
      const { location } = world()
      const checks = await simulate(
        {
          seed: firstSeed,
          harshness: postgresHarshness,
          openBackend: (prepare) => openPostgresBackend(location, prepare),
        },
        postgresSteps,
      )
      expect(checks).toBeGreaterThanOrEqual(minChecks(postgresSteps))
    },
    timeoutMs(postgresSteps),
  )
})
