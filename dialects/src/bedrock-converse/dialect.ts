import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { bedrockConverseCodec } from './codec'

/** Amazon's `Converse` and `ConverseStream`; only upstreams speak it. */
export const bedrockConverse: Dialect = chatDialect('bedrock-converse', bedrockConverseCodec, ({ output }) =>
  isObject(output),
)
