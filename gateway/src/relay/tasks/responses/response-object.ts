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
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
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
    object: 'response',
    ...own,
    status,
    completed_at: null,
    error: status === 'failed' ? errorOf(row, language) : null,
    incomplete_details: null,
    instructions: null,
    model: row.model,
    output: [],
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    usage: null,
    ...repeated,
    ...readObject(row.request),
  }
}

const errorOf = ({ fail_reason: reason }: TaskRow, language: Language): JsonObject => ({
  code: 'server_error',
  message: shownText(reason === '' ? storedPhrase('task.failed') : reason, language),
})
