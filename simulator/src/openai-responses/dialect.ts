import { whole } from '../simulated-response'
import type { Dialect } from '../dialect'
import { objectOr } from '../json'
import { promptTokensOf } from '../usage-report'
import { openaiWire } from '../wire'
import { readRequest } from './request'
import { compaction, responses } from './responses'

/** OpenAI's Responses API. */
export const openaiResponses: Dialect = {
  wire: {
    ...openaiWire,
    errorEvent: (_status, { message, code }, after) => ({
      name: 'error',
      data: JSON.stringify({ type: 'error', sequence_number: after, code, message, param: null }),
    }),
    hasFailedForm: true,
  },
  serves: ({ method, path }) => method === 'POST' && /\/responses(?:\/input_tokens|\/compact)?$/.test(path),
  respond({ path, json, number }, behaviour) {
    const body = objectOr(json)
    if (path.endsWith('/responses')) return responses(body, behaviour, number)
    if (path.endsWith('/compact')) return compaction(body, behaviour, number)
    const inputTokens = behaviour.promptTokens ?? promptTokensOf(readRequest(body).prompt)
    return whole({ object: 'response.input_tokens', input_tokens: inputTokens })
  },
}
