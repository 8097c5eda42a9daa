import { inputItems, objectsOf, outputItems, parsedObject, textOf, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { bodyOf } from '../../channels/calls/parsed-body'
import { newResponseId } from '../../http/request/request-id'
import { readJsonBody, type BodyReader } from '../admission/read-body'
import type { ModelCall } from '../call'
import type { RelayDeps } from '../call-context'
import { relay } from '../pipeline'
import { compactionItem, mayHoldCompaction, userMessages, withSummaries } from './compaction-item'

/**
 * Members that a compaction takes over. Tools are only named, as some vendors want to know those that were called.
 * https://developers.openai.com/api/reference/resources/responses/methods/compact
 */
const takenMembers: ReadonlySet<string> = new Set([
  'model',
  'input',
  'previous_response_id',
  'instructions',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'service_tier',
  'safety_identifier',
  'tools',
  'user',
])

const request =
  'Summarize the conversation so far, so that it can go on from your summary alone. Keep whatever later turns may need: what was asked for and decided, ' +
  'constraints, names, figures, code, files and their paths, results of tools, what is done and what is still open. ' +
  'Reply with the summary alone, in the language of the conversation, and call no tools.'

/**
 * `POST /v1/responses/compact`: shortens a conversation. A vendor that has the endpoint is asked by it; elsewhere the model writes a summary, in
 * a call that is charged as any other, and the item has it sealed for this user.
 * @throws as `relay` does; AppError `upstream.malformed` where the model wrote no summary.
 */
export async function compact(call: ModelCall, deps: RelayDeps): Promise<Response> {
  const { ctx } = deps
  let messages: readonly JsonObject[] = []
  const readBody: BodyReader = async (own, dialect, bodyDeps, room) => {
    const read = await readJsonBody(own, dialect, bodyDeps, room)
    const body = mayHoldCompaction(read) ? withSummaries(read, room.userId, ctx.seal) : read
    messages = userMessages(body.json, ctx)
    return { ...body, ...bodyOf(summaryRequest(body.json)) }
  }
  const response = await relay({ ...call, source: { kind: 'compaction', readBody } }, deps)
  const text = await response.text()
  const { headers } = response
  const parsed = parsedObject(text) ?? {}
  if (parsed['object'] === 'response.compaction') return new Response(text, { headers })
  const summary = textsIn(parsed).join('')
  if (summary.trim() === '') throw new AppError('upstream.malformed')
  const compacted = {
    id: newResponseId(ctx, 'resp_'),
    object: 'response.compaction',
    created_at: ctx.clock.seconds(),
    output: [...messages, compactionItem(summary, userIdOf(call), ctx)],
    usage: parsed['usage'],
  }
  return new Response(JSON.stringify(compacted), { headers })
}

function summaryRequest(json: JsonObject): JsonObject {
  const taken = Object.fromEntries(Object.entries(json).filter(([name]) => takenMembers.has(name)))
  const input = [...inputItems(json), { role: 'user', content: request }]
  return { ...taken, input, store: false, ...(objectsOf(json['tools']).length > 0 && { tool_choice: 'none' }) }
}

const textsIn = (response: JsonObject): string[] =>
  outputItems(response)
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => objectsOf(content))
    .map(({ text }) => textOf(text))

function userIdOf({ findings: { caller } }: ModelCall): number {
  if (caller === null) throw new Error('The call was not authenticated')
  return caller.account.id
}
