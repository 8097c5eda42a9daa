import type { Dialect } from '../dialect'
import { chatDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { ollamaChatCodec } from './codec'

/** Only upstreams speak it. */
export const ollamaChat: Dialect = chatDialect('ollama-chat', ollamaChatCodec, ({ message }) => isObject(message))
