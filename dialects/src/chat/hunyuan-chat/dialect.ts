import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { hasObjects } from '../../core/shared/reported-failure'
import { readError } from './errors'
import { responseIn } from './names'
import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsChunks } from '../openai-chat/chunk-form'
import { mapAnswer } from './read/response'
import { writeCall } from './write/call'

/** Tencent Cloud's own chat API. https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuanChatCodec: UpstreamCodec = { writeCall, ...readAsChunks(() => mapAnswer) }

/** The action `ChatCompletions` of 2023-09-01; only upstreams speak it. */
export const hunyuanChat: Dialect = {
  ...chatDialect('hunyuan-chat', hunyuanChatCodec, (answer) => hasObjects(responseIn(answer)['Choices'])),
  readError,
}
