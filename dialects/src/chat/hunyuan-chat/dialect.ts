import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { hasObjects } from '../../core/shared/reported-failure'
import { hunyuanChatCodec } from './codec'
import { readError } from './errors'
import { responseIn } from './names'

/** The action `ChatCompletions` of 2023-09-01; only upstreams speak it. */
export const hunyuanChat: Dialect = {
  ...chatDialect('hunyuan-chat', hunyuanChatCodec, (answer) => hasObjects(responseIn(answer)['Choices'])),
  readError,
}
