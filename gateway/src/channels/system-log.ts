import { logType, storedPhrase, type Phrase } from '@tollgate/contract'

import type { Context } from '../context'

export interface SystemEvent {
  readonly channelId: number
  readonly channelName: string
  readonly text: Phrase
  readonly modelName?: string
  /** Seconds. */
  readonly useTimeSeconds?: number
}

/** Writes a row to the log for something the gateway did by itself. It belongs to no user, so only administrators see it. */
export function systemLog(ctx: Context, event: SystemEvent): void {
  const id = Buffer.from(ctx.random.bytes(16)).toString('hex')
  ctx.ledger.record(`system-${id}`, {
    createdAt: ctx.clock.seconds(),
    type: logType.system,
    userId: 0,
    username: '',
    tokenId: 0,
    tokenName: '',
    modelName: event.modelName ?? '',
    group: '',
    channelId: event.channelId,
    channelName: event.channelName,
    isStream: false,
    useTimeSeconds: event.useTimeSeconds ?? 0,
    promptTokens: 0,
    completionTokens: 0,
    content: storedPhrase(event.text.code, event.text.params),
    clientIp: '',
    other: '{}',
  })
}
