import { hasEnded } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { Context } from '../../../context'
import { textStream } from '../../../http/response/text-stream'
import type { TaskRow } from '../../../platform/store/tables'
import type { IncomingCall } from '../../call'
import type { RelayDeps } from '../../call-context'
import { streamHeaders } from '../../delivery/response-headers'
import { waitUnless } from '../../../platform/time/timers'

/** Milliseconds between two reads of the task. */
const pollIntervalMs = 1000
/** Proxies close streams that are silent for longer. */
const silentMs = 15_000
/** Clients reconnect; a worker that stops does not wait for them. */
const maxMs = 300_000

/** Each polls the database. */
const maxOfUser = 50
const retrySeconds = 10

/** How many streams of each user this worker serves. */
const open = new WeakMap<Context, Map<number, number>>()

/** A task that its owner follows. */
interface Followed {
  readonly userId: number
  /** @throws AppError when the caller may not read the task any more. */
  readonly poll: () => Promise<TaskRow>
  readonly toView: (row: TaskRow) => object
}

/**
 * Resolves with a stream of a task's progress: an event for each change, until the task or its key ends.
 * @throws AppError `rate.limited` when the user follows as many as allowed; those of `look`.
 */
export async function taskEvents(
  followed: Followed,
  { request, requestId }: Pick<IncomingCall, 'request' | 'requestId'>,
  { ctx }: Pick<RelayDeps, 'ctx'>,
): Promise<Response> {
  const counts = open.get(ctx) ?? new Map<number, number>()
  open.set(ctx, counts)
  const first = await followed.poll()
  if ((counts.get(followed.userId) ?? 0) >= maxOfUser)
    throw new AppError('rate.limited', { params: { seconds: retrySeconds }, retryAfterSeconds: retrySeconds })
  const parts = countWhileOpen(eventsOf(first, followed, ctx, request.signal), followed.userId, counts)
  const onFailure = (error: unknown) => ctx.log.warn({ error, requestId }, 'the progress of a task could not be read')
  return new Response(textStream(parts, onFailure), { headers: streamHeaders({}) })
}

/** Counts a stream from its first event to its end. One that its client leaves before is never begun. */
async function* countWhileOpen(
  parts: AsyncGenerator<string>,
  userId: number,
  counts: Map<number, number>,
): AsyncGenerator<string> {
  counts.set(userId, (counts.get(userId) ?? 0) + 1)
  try {
    yield* parts
  } finally {
    const left = (counts.get(userId) ?? 1) - 1
    if (left > 0) counts.set(userId, left)
    else counts.delete(userId)
  }
}

async function* eventsOf(
  first: TaskRow,
  { poll, toView }: Followed,
  { clock, timers }: Context,
  left: AbortSignal,
): AsyncGenerator<string> {
  const beganAt = clock.monotonic()
  let row: TaskRow | undefined = first
  let last = ''
  let sentAt = beganAt
  while (row && !left.aborted && clock.monotonic() - beganAt < maxMs) {
    const text = JSON.stringify(toView(row))
    if (text !== last || clock.monotonic() - sentAt >= silentMs) {
      sentAt = clock.monotonic()
      yield text === last ? ': still here\n\n' : `event: ${hasEnded(row) ? 'ended' : 'progress'}\ndata: ${text}\n\n`
      last = text
    }
    if (hasEnded(row)) return
    await waitUnless(timers, pollIntervalMs, left)
    if (left.aborted) return
    row = await poll().catch((error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    })
  }
}
