import { logType } from '@tollgate/contract'
import { noUsage, type AnswerView, type Usage } from '@tollgate/dialects'

import type { LogEntry } from '../ledger/ledger'
import { adminInfo } from './admin-info'
import type { Served } from './attempts'
import type { StreamEnding } from './deliver-stream'
import type { OpenAnswer } from './open-answer'
import type { Scene } from './scene'

export async function settle(
  scene: Scene,
  served: Served<OpenAnswer>,
  answer: AnswerView,
  ending: StreamEnding,
): Promise<Usage | null> {
  const usage = answer.usage ?? {
    ...noUsage,
    promptTokens: 10,
    completionTokens: Math.ceil(answer.completionText().length / 4),
  }
  const cost = usage.promptTokens + usage.completionTokens
  const entry: LogEntry = {
    createdAt: Math.floor(scene.parts.ctx.clock.now() / 1000),
    type: logType.consumption,
    userId: scene.caller.account.id,
    username: scene.caller.account.username,
    tokenId: scene.caller.key?.id ?? 0,
    tokenName: scene.caller.tokenName,
    modelName: scene.model,
    group: scene.caller.group,
    channelId: served.choice.channel.id,
    channelName: served.choice.channel.name,
    isStream: scene.view.isStream,
    useTimeSeconds: 0,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    content: ending,
    clientIp: '',
    other: JSON.stringify({ admin_info: adminInfo(scene.records) }),
  }
  await scene.parts.ctx.ledger.charge(scene.reservation, { cost, entry, isLogged: true })
  return usage
}
