import { connectRealtime, type RealtimeClient } from '../../gateway/test/realtime-client'
import type { CallOutcome } from './call-outcome'
import type { Random } from './random'
import { chatModel, claudeModel, type Payer } from './site'

interface SocketOptions {
  readonly round: string
  readonly number: number
  readonly url: string
  readonly payer: Payer
  readonly random: Random
  /** Milliseconds until the client gives up. */
  readonly timeoutMs: number
}

const maxTurns = 3
/** More than any response has, so that the reservation covers its cost. */
const maxTokens = 80

/** Opens a WebSocket for responses, asks for some one after the other, and returns what its client saw of each. */
export async function callOverSocket(options: SocketOptions): Promise<CallOutcome[]> {
  const { round, number, url, payer, random, timeoutMs } = options
  const turns = random.between(1, maxTurns)
  const leavesIn = random.next() < 0.2 ? random.between(1, turns) : 0
  const model = random.pick([chatModel, claudeModel] as const)
  const noOutcome = { requestId: '', status: 0, isComplete: false, hasLeft: false, isLate: false, ms: 0, payer, model }
  const outcomes: CallOutcome[] = []
  const client = await connectRealtime(url, { key: payer.key, path: '/v1/responses', query: '' }).catch(() => null)
  if (client === null) return [{ ...noOutcome, name: nameOf(round, 1, number) }]
  using _ = client
  const timeout = Bun.sleep(timeoutMs).then(() => 'late' as const)
  // Each ends the socket for this client, so they are awaited once.
  const failed = Promise.race(
    ['error', 'response.failed', 'response.incomplete'].map((type) => unlessClosed(client.next(type))),
  )
  let previous: unknown = null
  for (let turn = 1; turn <= turns; turn += 1) {
    const name = nameOf(round, turn, number)
    const from = client.events.length
    // The upstream knows a call by the first name in its body.
    const text = `${name.padEnd(28)}${' about'.repeat(12 + number)}`
    const goesOn = model === chatModel && previous !== null
    client.send({
      type: 'response.create',
      model,
      store: false,
      max_output_tokens: maxTokens,
      ...(goesOn && { instructions: name.padEnd(28), previous_response_id: previous }),
      input: text,
    })
    const leaves = turn === leavesIn
    const end = client.next(leaves ? 'response.created' : 'response.completed')
    const ended = await Promise.race([end, failed, timeout]).catch(() => null)
    const isComplete = ended !== null && ended !== 'late' && ended['type'] === 'response.completed'
    const { requestId, status } = headOf(client.events.slice(from))
    outcomes.push({ ...noOutcome, name, requestId, status, isComplete, hasLeft: leaves, isLate: ended === 'late' })
    if (!isComplete) break
    previous = membersOf(ended['response'])['id']
  }
  return outcomes
}

const nameOf = (round: string, turn: number, number: number): string => `soak-${round}t${turn}-${number}`

/** That the connection ends is told once. */
const unlessClosed = (event: Promise<Event>): Promise<Event> => event.catch(() => new Promise(() => {}))

type Event = RealtimeClient['events'][number]

const membersOf = (value: unknown): Event => (typeof value === 'object' && value !== null ? { ...value } : {})

/** What the first frame of a turn says of its call. */
function headOf(events: readonly Event[]): Pick<CallOutcome, 'requestId' | 'status'> {
  const [first] = events
  const headers = membersOf(first?.['headers'])
  const error = events.find(({ type }) => type === 'error')
  const status = typeof error?.['status'] === 'number' ? error['status'] : first ? 200 : 0
  const { 'x-request-id': requestId } = headers
  return { requestId: typeof requestId === 'string' ? requestId : '', status }
}
