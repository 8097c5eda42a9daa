import type { CallContext } from './call-context'
import type { StreamEnding } from './delivery/deliver-stream'
import { recordObjects } from './objects/record-objects'
import { attempt } from './stages/attempt'
import { deliver } from './stages/deliver'
import { meterAnswer } from './stages/meter'
import { settle } from './stages/settle'

/**
 * Runs an admitted call, from the choice of a channel to the response; a stream goes on after this returns.
 * @throws AppError, UpstreamError: nothing was delivered and nothing is charged.
 */
export async function serve(context: CallContext): Promise<Response> {
  const { body, deps, reservation } = context
  let isStreaming = false
  try {
    const attempted = await attempt(context)
    if (attempted.kind === 'failed') {
      deps.ctx.ledger.release(reservation)
      throw attempted.error
    }
    isStreaming = attempted.answer.kind !== 'whole'
    // Called by the delivery before the last bytes are sent: a client has the end of its response only when it is charged.
    const charge = async (ending: StreamEnding) => {
      const metered = await meterAnswer(context, attempted, ending)
      const usage = await settle(context, attempted, ending, metered)
      recordObjects(context, attempted, metered)
      return usage
    }
    return await deliver(context, attempted, charge)
  } finally {
    if (!isStreaming) body.room?.[Symbol.dispose]()
  }
}
