import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { bedrockConverseCodec } from './codec'

/** Amazon's `Converse` and `ConverseStream`; only upstreams speak it. */
export const bedrockConverse: Dialect = chatDialect('bedrock-converse', bedrockConverseCodec, ({ output }) =>
  isObject(output),
)
