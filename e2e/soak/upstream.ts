import {
  batchFates,
  RealtimeUpstream,
  startBatchVendor,
  startSimulator,
  startSuno,
  taskFates,
  type RealtimeBehaviour,
  type RecordedRequest,
} from '@tollgate/simulator'

import { fileStateOf } from './named-file'
import { sessionModel } from './site'
import type { ServedRequest } from './upstream-process'

/** The stand-in upstream as a separate process. Sends its address to its parent and, on request, what it served since the last request. */
const fates = batchFates.filter((fate) => fate !== 'hang')
const simulator = await startSimulator()
const inSessions: ServedRequest[] = []
const realtime = RealtimeUpstream.start('openai', { behave })
const songs = await startSuno()
songs.taskBook.fateOf = ({ prompt }) => taskFates.find((fate) => String(prompt).endsWith(` ${fate}`))
const batches = {
  openAi: await startBatchVendor({ kind: 'openai', inner: simulator.url }),
  anthropic: await startBatchVendor({ kind: 'anthropic', inner: simulator.url }),
  mistral: await startBatchVendor({ kind: 'mistral', inner: simulator.url }),
  gemini: await startBatchVendor({ kind: 'gemini', inner: simulator.url }),
}
const { openAi, anthropic, mistral, gemini } = batches
for (const vendor of Object.values(batches)) {
  vendor.batchBook.next(...Array.from({ length: 10_000 }, (_, index) => fates[index % fates.length] ?? 'finish'))
  vendor.cutEvery = 4
}
process.on('message', () => void report())
process.on('disconnect', () => process.exit())
process.send?.({
  kind: 'listening',
  url: simulator.url,
  realtimeUrl: realtime.url,
  songsUrl: songs.url,
  batchUrls: { openAi: openAi.url, anthropic: anthropic.url, mistral: mistral.url, gemini: gemini.url },
})

async function report(): Promise<void> {
  await simulator.quiet()
  await Promise.all(realtime.sessions.map(({ ended }) => ended))
  const served = [...simulator.requests.flatMap(servedBy), ...inSessions.splice(0)]
  simulator.reset()
  process.send?.({ kind: 'served', served })
}

const callName = /soak-\w+-\d+/

const responseName = /soak-\w+-(\d+)-(\d+)/
const sessionText = 'the quick brown fox jumps'
/** More than that text has. */
const completionTokens = 12

/** Decides how a response goes by what was said last: some break off, and some are the last of their session. */
function behave(events: readonly { readonly type?: unknown }[]): RealtimeBehaviour {
  const item = JSON.stringify(events.findLast(({ type }) => type === 'conversation.item.create') ?? null)
  const [name, session, response] = responseName.exec(item) ?? []
  if (name === undefined) return {}
  const index = Number(session) + Number(response)
  // More than an estimate of all input and output until then.
  const promptTokens = Number(response) * 80 + (index % 40)
  inSessions.push({
    name,
    model: sessionModel,
    status: 200,
    promptTokens,
    completionTokens,
    isResponse: true,
    hasStarted: false,
    isMisreported: false,
    file: 'none',
    outcome: 'served',
  })
  return {
    text: sessionText,
    audio: 0,
    usage: { textIn: promptTokens, textOut: completionTokens },
    ...(index % 9 === 0 && { fault: 'break' }),
    ...(index % 9 === 4 && { fault: 'close' }),
  }
}

function servedBy({ body, model, status, counted, started, outcome }: RecordedRequest): ServedRequest[] {
  const name = callName.exec(body)?.[0]
  if (name === undefined) return []
  const { promptTokens = 0, completionTokens = 0 } = counted ?? started ?? {}
  const isMisreported = counted !== null && !isHonest(counted)
  const is = { isResponse: counted !== null, hasStarted: started !== null, isMisreported, file: fileStateOf(body) }
  return [{ name, model, status, promptTokens, completionTokens, ...is, outcome }]
}

/** Whether the usage on the wire, in whatever form, has the figures that were counted. */
function isHonest({ promptTokens, completionTokens, reported }: NonNullable<RecordedRequest['counted']>): boolean {
  if (reported === undefined) return true
  const figures = JSON.stringify(reported).match(/-?\d+/g)?.map(Number) ?? []
  return figures.includes(promptTokens) && figures.includes(completionTokens)
}
