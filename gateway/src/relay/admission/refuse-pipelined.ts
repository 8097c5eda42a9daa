import { UpstreamError } from '../../channels/calls/upstream-error'
import { turnOver, type Timers } from '../../platform/time/timers'

/**
 * Lets the turn of the event loop end in which the request arrived. If its client sent more behind it, the runtime has closed the connection
 * by then: no response can be delivered, so no upstream is asked for one.
 * @throws UpstreamError `abandoned`.
 */
export async function refusePipelined({ signal }: Pick<Request, 'signal'>, timers: Timers): Promise<void> {
  await turnOver(timers)
  if (!signal.aborted) return
  throw new UpstreamError({
    fault: 'abandoned',
    status: 499,
    message: 'The client sent another request before its response',
  })
}
