import { connectRealtime, type RealtimeClient } from '../../gateway/test/realtime-client'
import type { CallOutcome } from './call-outcome'
import type { Random } from './random'
import { sessionModel, type Payer } from './site'

interface SessionOptions {
  /** Part of each text that is sent, which names its response. */
  readonly name: string
  readonly url: string
  readonly payer: Payer
  readonly random: Random
  /** Milliseconds until the client gives up. */
  readonly timeoutMs: number
}

const maxResponses = 3

/** Opens a session, asks for some responses one after the other, and returns what its client saw of each. */
export async function callInSession({ name, url, payer, random, timeoutMs }: SessionOptions): Promise<CallOutcome[]> {
  const responses = random.between(1, maxResponses)
  const leavesIn = random.next() < 0.15 ? random.between(1, responses) : 0
  const noOutcome = { requestId: '', status: 0, isComplete: false, hasLeft: false, isLate: false, ms: 0 }
  const unanswered = { payer, model: sessionModel, ...noOutcome }
  const outcomes: CallOutcome[] = []
  const client = await connectRealtime(url, { key: payer.key, model: sessionModel }).catch(() => null)
  if (client === null) return [{ ...unanswered, name }]
  using _ = client
  const timeout = Bun.sleep(timeoutMs).then(() => 'late' as const)
  const within = <Value>(work: Promise<Value>) => Promise.race([work.catch(() => null), timeout])
  const id = (await within(idOf(client))) ?? ''
  for (let number = 1; number <= responses; number += 1) {
    const outcome = {
      ...unanswered,
      name: `${name}-${number}`,
      status: 101,
      requestId: id === '' || id === 'late' ? '' : rowIdOf(id, number),
    }
    client.send(textItem(outcome.name))
    client.send({ type: 'response.create' })
    const seen = await within(client.next(number === leavesIn ? 'response.created' : 'response.done'))
    const isComplete = seen !== 'late' && seen?.['type'] === 'response.done'
    outcomes.push({ ...outcome, isComplete, hasLeft: number === leavesIn, isLate: seen === 'late' })
    if (!isComplete) break
  }
  return outcomes
}

const textItem = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

/** Resolves with the id of the session, which clients of the runtime learn from events of the gateway alone. */
async function idOf(client: RealtimeClient): Promise<string> {
  client.send('not an event')
  const { event_id: id } = await client.next('error')
  return String(id).replace('event_', '')
}

/** Rows of later responses have a number. */
const rowIdOf = (id: string, number: number): string => (number === 1 ? id : `${id}-${number}`)
