import { parseArgs } from 'node:util'

import { startFixedUpstream, type FixedUpstream } from '@tollgate/simulator'

import { shareCores } from './processes'
import { reconcile, type ServedTotals } from './reconcile'
import { markdown, meanOf } from './report'
import { measure, scenarios, type Measurement } from './scenarios'
import { direct, startGoverned, startNginx, type Target } from './targets'

/**
 * The governed profile against the bare upstream and nginx, in turns: each round measures every target once under every
 * scenario. The run is void when the gateway's books do not equal what the upstream served through it.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    json: { type: 'string' },
  },
})

const cores = shareCores()
const upstream = startFixedUpstream({ tokens: 40, gapMs: 4 })
const gateway = await startGoverned(upstream.url, cores)
const nginx = await startNginx(upstream.port, cores)
const targets: Target[] = [direct(upstream.port), ...(nginx ? [nginx] : []), gateway]

const measurements: Measurement[] = []
const throughGateway = { calls: 0, failures: 0 }
for (let round = 1; round <= Number(values.rounds); round += 1) {
  for (const scenario of scenarios) {
    for (const target of targets) await measureOne(target, scenario)
  }
}

for (const target of targets) await target.stop()
await upstream.stop()
const wrong = await reconcile(gateway.dataDir, servedBy(upstream, throughGateway.calls), throughGateway.failures)
gateway.remove()
await report()

async function measureOne(target: Target, scenario: (typeof scenarios)[number]): Promise<void> {
  const before = answersOf(upstream)
  const measurement = await measure(target, scenario, upstream, Number(values.seconds) * 1000)
  measurements.push(measurement)
  if (target !== gateway) return
  throughGateway.calls += answersOf(upstream) - before
  throughGateway.failures += measurement.failures
}

function answersOf(upstream: FixedUpstream): number {
  return upstream.served.whole + upstream.served.streams
}

function servedBy(upstream: FixedUpstream, calls: number): ServedTotals {
  return {
    calls,
    promptTokens: calls * upstream.promptTokens,
    completionTokens: calls * upstream.completionTokens,
  }
}

async function report(): Promise<void> {
  const means = scenarios.flatMap((scenario) =>
    targets.map((target) =>
      meanOf(measurements.filter((one) => one.scenario === scenario.name && one.target === target.name)),
    ),
  )
  const verdict = wrong.length === 0 ? 'The ledger equals what the upstream served.' : `VOID: ${wrong.join('; ')}`
  console.log(`${markdown(means)}\n\n${throughGateway.calls} calls through the gateway. ${verdict}`)
  console.log(`Cores: ${cores.isPinned ? 'gateway on one, load and upstream on another' : 'not pinned'}.\n`)
  const document = { isVoid: wrong.length > 0, wrong, isPinned: cores.isPinned, means, measurements }
  if (values.json) await Bun.write(values.json, `${JSON.stringify(document, null, 2)}\n`)
  else console.log(JSON.stringify(document))
  if (wrong.length > 0) process.exitCode = 1
}
