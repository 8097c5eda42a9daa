import { dialects, isObject, type AnswerView, type JsonObject } from '../../dialects/src/index'
import type { Provider } from '../../providers/src/provider'
import { describedBy, type VendorFixture } from '../../providers/src/vendors/fixture'
import type { VendorAccount } from '../vendor-calls/account'
import { callVendor, type VendorResponse } from '../vendor-calls/call-vendor'
import { embeddingCall, plainCall, streamCall, toolCall, type SmallCall } from '../vendor-calls/small-calls'
import { compareShapes, shapeOf, type ShapeDifference } from './shape'

/** What a call of a vendor showed. */
export interface CallCheck {
  readonly name: string
  /** Empty: all is well. */
  readonly faults: readonly string[]
  /** What is new or missing, which no reader minds. */
  readonly notes: readonly string[]
}

interface Check {
  readonly name: string
  readonly call: SmallCall
  readonly model: string
  /** Returns what of the response cannot be read. */
  readonly read: (response: VendorResponse) => readonly string[]
  /** What the fixture has of such a response; null: nothing. */
  readonly known: readonly JsonObject[] | null
}

/** Makes the small calls of a vendor one after the other, and compares what it responds to its fixture. */
export async function checkVendor(
  provider: Provider,
  account: VendorAccount,
  fixture: VendorFixture,
): Promise<readonly CallCheck[]> {
  const results: CallCheck[] = []
  for (const check of checksOf(provider, account, fixture)) results.push(await run(provider, account, check))
  return results
}

function checksOf(
  provider: Provider,
  { model, embeddingModel }: VendorAccount,
  fixture: VendorFixture,
): readonly Check[] {
  const vectors = fixture.others.find(({ way }) => way?.mode === 'embeddings')
  const isUsual = (fixture.way ?? { mode: 'chat' }).mode === 'chat'
  const chat = isUsual && isSameDialect(provider, fixture, model) ? fixture : null
  const checks: Check[] = [
    { name: 'plain', call: plainCall, model, read: readWhole, known: chat && [chat.answer] },
    { name: 'stream', call: streamCall, model, read: readStream, known: chat?.stream ? eventsIn(chat.stream) : null },
    { name: 'tool call', call: toolCall, model, read: readTool, known: chat && [chat.answer] },
  ]
  if (embeddingModel !== null)
    checks.push({
      name: 'embeddings',
      call: embeddingCall,
      model: embeddingModel,
      // Some vendors count no tokens of embeddings.
      read: (response) => faultsIn(viewOf(response)).filter((fault) => fault !== noUsage || !!vectors?.usage),
      known: vectors ? [vectors.answer] : null,
    })
  return checks
}

/** Some vendors have an older dialect, which their fixture may show. */
const isSameDialect = (provider: Provider, { way }: VendorFixture, model: string): boolean =>
  describedBy(provider, way ?? { mode: 'chat' }).dialect === describedBy(provider, { mode: 'chat', model }).dialect

async function run(
  provider: Provider,
  account: VendorAccount,
  { name, call, model, read, known }: Check,
): Promise<CallCheck> {
  try {
    const response = await callVendor(provider, account, call, model)
    if (!response.isOk) return { name, faults: [failureOf(response)], notes: [] }
    const found = call.isStream ? eventsIn(response.text) : [JSON.parse(response.text) as JsonObject]
    const difference = known && compareShapes(shapeOf(known), shapeOf(found))
    return { name, faults: [...read(response), ...(difference?.changed ?? [])], notes: notesOf(difference) }
  } catch (error) {
    return { name, faults: [error instanceof Error ? error.message : 'The call failed'], notes: [] }
  }
}

const failureOf = ({ dialect, status, text }: VendorResponse): string =>
  `status ${status}: ${dialects[dialect].readError(status, text).message}`

const notesOf = (difference: ShapeDifference | null): string[] =>
  difference === null
    ? ['no fixture to compare with']
    : [...difference.missing.map((path) => `without ${path}`), ...difference.added.map((path) => `new: ${path}`)]

const viewOf = ({ dialect, text }: VendorResponse): AnswerView =>
  dialects[dialect].readAnswer(JSON.parse(text) as JsonObject)

function readWhole(response: VendorResponse): readonly string[] {
  const view = viewOf(response)
  return [...faultsIn(view), ...(view.isEmpty ? ['no text'] : [])]
}

function readTool(response: VendorResponse): readonly string[] {
  const view = viewOf(response)
  return [...faultsIn(view), ...(view.toolCalls === 0 ? ['no tool call'] : [])]
}

function readStream({ dialect, text }: VendorResponse): readonly string[] {
  const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
  tap.push(new TextEncoder().encode(text))
  tap.end()
  return [...faultsIn(tap), ...(tap.contentEvents === 0 ? ['no content'] : []), ...(tap.isFinished ? [] : ['no end'])]
}

const noUsage = 'no usage'

const faultsIn = ({ error, usage }: Pick<AnswerView, 'error' | 'usage'>): string[] => [
  ...(error ? [error.message] : []),
  ...(usage === null ? [noUsage] : []),
]

const eventsIn = (stream: string): JsonObject[] =>
  [...stream.matchAll(/^data: ?(\{.*)$/gm)].flatMap(([, data = '']) => {
    const event: unknown = JSON.parse(data)
    return isObject(event) ? [event] : []
  })
