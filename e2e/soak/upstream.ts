import { faults, startSimulator, type RecordedRequest } from '@tollgate/simulator'

import type { ServedRequest } from './upstream-process'

/** The stand-in upstream as a separate process. Sends its address to its parent and, on request, what it served since the last request. */
const simulator = await startSimulator()
process.on('message', () => void tell())
process.on('disconnect', () => process.exit())
process.send?.({ kind: 'listening', url: simulator.url })

async function tell(): Promise<void> {
  await simulator.quiet()
  const served = simulator.requests.flatMap(servedBy)
  simulator.reset()
  process.send?.({ kind: 'served', served })
}

const impossibleCount = String(faults['usage-impossible'].usageOverride.prompt_tokens)

const callName = /soak-\w+-\d+/

function servedBy({ body, model, status, counted, outcome }: RecordedRequest): ServedRequest[] {
  const name = callName.exec(body)?.[0]
  if (name === undefined) return []
  const { promptTokens = 0, completionTokens = 0 } = counted ?? {}
  const isMisreported = JSON.stringify(counted?.reported ?? null).includes(impossibleCount)
  return [{ name, model, status, promptTokens, completionTokens, isAnswer: counted !== null, isMisreported, outcome }]
}
