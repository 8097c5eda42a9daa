import type { Dialect } from '../dialect'
import { openaiWire } from '../wire'
import { openai as answerOf } from './routes'

/** OpenAI's API, and whatever no other dialect claims. */
export const openai: Dialect = {
  wire: openaiWire,
  serves: () => true,
  answer: (call, behaviour, account) => answerOf(call, behaviour, call.number, account),
}
