import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import type { UpstreamCodec } from '../../core/neutral/codec'
import { ConverseReader, readAnswer } from './read'
import { writeCall } from './write'

/** The words in which Amazon Bedrock serves all models that chat. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const bedrockConverseCodec: UpstreamCodec = {
  writeCall,
  readAnswer,
  createReader: () => new ConverseReader(),
}

/** Amazon's `Converse` and `ConverseStream`; only upstreams speak it. */
export const bedrockConverse: Dialect = chatDialect('bedrock-converse', bedrockConverseCodec, ({ output }) =>
  isObject(output),
)
