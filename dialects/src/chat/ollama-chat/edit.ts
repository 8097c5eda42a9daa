import { isObject, type JsonObject } from '../../core/json'

export { withSystemPrompt } from '../openai-chat/edit'

/** The body with a limit on the answer. */
export const withOutputLimit = (body: JsonObject, tokens: number): JsonObject => ({
  ...body,
  options: { ...(isObject(body['options']) && body['options']), num_predict: tokens },
})
