import type { Dialect } from '../dialect'
import { openaiWire } from '../wire'
import { openai as respondOpenAi } from './routes'

/** OpenAI's API, and whatever no other dialect claims. */
export const openai: Dialect = {
  wire: openaiWire,
  serves: () => true,
  respond: (call, behaviour, account) => respondOpenAi(call, behaviour, call.number, account),
}
