import type { CallContext } from './call-context'
import type { StreamEnding } from './delivery/deliver-stream'
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
  let attempted: Awaited<ReturnType<typeof attempt>>
  try {
    attempted = await attempt(context)
  } catch (error) {
    body.release?.()
    throw error
  }
  if (attempted.kind === 'failed') {
    deps.ctx.ledger.release(reservation)
    body.release?.()
    throw attempted.error
  }
  // Called by the delivery before the last bytes are sent: a client has the end of its response only when it is charged.
  const charge = async (ending: StreamEnding) =>
    settle(context, attempted, ending, await meterAnswer(context, attempted, ending))
  const isWhole = attempted.answer.kind === 'whole'
  try {
    return await deliver(context, attempted, charge)
  } finally {
    if (isWhole) body.release?.()
  }
}
