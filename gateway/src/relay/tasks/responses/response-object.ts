import { storedPhrase } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import type { Language } from '../../../http/language'
import { shownText } from '../../../platform/locales/sentence'
import type { TaskRow } from '../../../platform/store/tables'
import type { StoredTaskResponse } from '../../../tasks/task-answers'
import { openAiStatus, unixSeconds } from '../../../tasks/task-view'
import { readObject } from '../../../tasks/task-store'

/** What a response that has no answer yet repeats of its request, and what stands there when the request does not say it. */
const repeated: JsonObject = {
  frequency_penalty: 0,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  temperature: 1,
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
}

/** More than the vendor allows in metadata. */
const maxBytes = 32_768

/** Returns what is kept of a request, to be repeated until there is an answer. Neither input nor instructions are. */
export function shownMembers(body: JsonObject): JsonObject {
  const members = Object.fromEntries(
    Object.keys(repeated).flatMap((name) => (name in body ? [[name, body[name]]] : [])),
  )
  return Buffer.byteLength(JSON.stringify(members)) > maxBytes ? {} : members
}

/**
 * Returns a response that is made in the background: as it was answered, under the gateway's id.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function responseObject(row: TaskRow, stored: StoredTaskResponse | null, language: Language): JsonObject {
  const own = { id: row.public_id, created_at: unixSeconds(row.submitted_at), background: true, store: true }
  if (stored) return { ...stored.body, ...own }
  const status = openAiStatus(row)
  return {
    ...emptyResponse(row.model),
    ...own,
    status,
    error: status === 'failed' ? errorOf(row, language) : null,
    ...readObject(row.request),
  }
}

/** Returns what a response has that has no answer, except its id and its status. */
export const emptyResponse = (model: string): JsonObject => ({
  object: 'response',
  background: false,
  completed_at: null,
  error: null,
  incomplete_details: null,
  instructions: null,
  model,
  output: [],
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  usage: null,
  ...repeated,
})

const errorOf = ({ fail_reason: reason }: TaskRow, language: Language): JsonObject => ({
  code: 'server_error',
  message: shownText(reason === '' ? storedPhrase('task.failed') : reason, language),
})
