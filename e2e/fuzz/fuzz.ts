import { parseArgs } from 'node:util'

import { startServices } from '../../scripts/test-services'
import type { Finding } from '../../gateway/test/fuzz/finding'

const usage = `Send hostile calls to the console API and to the endpoints for models, within this process, on a real database.

  bun run fuzz [--runs 2000] [--seed S] [--database sqlite|postgres] [--only console|relay]

Exit code 1: a call was answered with a status 500, hung, left half of a change, or was refused in another shape than its
caller reads. A finding is repeated with its seed and --runs 500.`

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    database: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

/** Calls to one gateway, before the next begins with an empty database. */
const callsOfWorld = 500

if (values.help) console.log(usage)
else process.exitCode = await fuzz()
process.exit()

async function fuzz(): Promise<number> {
  const kind = values.database === 'postgres' ? 'postgres' : 'sqlite'
  await using services = await startServices(kind === 'postgres')
  Object.assign(process.env, services.environment)
  const targets = await import('./targets')
  const findings = new Map<string, number>()
  const report = ({ kind: name, details }: Finding) => {
    const count = findings.get(name) ?? 0
    findings.set(name, count + 1)
    if (count === 0) console.log(`${name}\n  ${details}`)
  }
  process.on('unhandledRejection', (error) =>
    report({ kind: `an error without a handler: ${String(error)}`, details: '' }),
  )
  const [runs, firstSeed] = [Number(values.runs), Number(values.seed)]
  for (const [name, target] of Object.entries(targets.targets)) {
    if (values.only !== undefined && values.only !== name) continue
    for (let done = 0, seed = firstSeed; done < runs; done += callsOfWorld, seed += 1) {
      const numRuns = Math.min(callsOfWorld, runs - done)
      console.log(`${name} on ${kind}, seed ${seed}, ${done + numRuns} of ${runs}`)
      await target(kind, { numRuns, seed }, report)
    }
  }
  for (const [name, count] of findings) console.log(`${String(count).padStart(5)}  ${name}`)
  console.log(`${findings.size} findings, seed ${firstSeed}`)
  return findings.size === 0 ? 0 : 1
}
