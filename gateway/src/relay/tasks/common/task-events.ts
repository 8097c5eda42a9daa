import { hasEnded } from '@tollgate/contract'

import { textStream } from '../../../http/text-stream'
import type { TaskRow } from '../../../store/tables'
import { taskByPublicId } from '../../../tasks/task-store'
import type { IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { streamHeaders } from '../../delivery/response-headers'

/** Milliseconds between two reads of the task. */
const lookMs = 1000
/** Proxies close streams that are silent for longer. */
const silentMs = 15_000
/** Clients reconnect; a worker that stops does not wait for them. */
const longestMs = 300_000

/** Returns a stream of a task's progress: an event for each change, until the task ends. */
export function taskEvents(
  row: TaskRow,
  shown: (row: TaskRow) => object,
  { requestId }: Pick<IncomingCall, 'requestId'>,
  { ctx }: Pick<RelayDeps, 'ctx'>,
): Response {
  const parts = eventsOf(row, shown, ctx)
  const onFailure = (error: unknown) => ctx.log.warn({ error, requestId }, 'the progress of a task could not be read')
  return new Response(textStream(parts, onFailure), { headers: streamHeaders({}) })
}

async function* eventsOf(
  first: TaskRow,
  shown: (row: TaskRow) => object,
  { clock, database }: RelayDeps['ctx'],
): AsyncGenerator<string> {
  const beganAt = clock.monotonic()
  let row: TaskRow | undefined = first
  let last = ''
  let sentAt = beganAt
  while (row && clock.monotonic() - beganAt < longestMs) {
    const text = JSON.stringify(shown(row))
    if (text !== last || clock.monotonic() - sentAt >= silentMs) {
      sentAt = clock.monotonic()
      yield text === last ? ': still here\n\n' : `event: ${hasEnded(row) ? 'ended' : 'progress'}\ndata: ${text}\n\n`
      last = text
    }
    if (hasEnded(row)) return
    await Bun.sleep(lookMs)
    row = await taskByPublicId(database.query, first.public_id)
  }
}
