import { plainRequest } from '../generation-request'
import { Refusal, type SimulatedResponse } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import type { Dialect } from '../dialect'
import { objectOr, type JsonObject } from '../json'
import { plainCounted, promptTokensOf } from '../usage-report'
import { generationFor } from '../generation'

const application = /\/v1\/(chat-messages|completion-messages|workflows\/run)$/

/** Applications of Dify: an agent for `agent` among the inputs' members, whose answer comes once more behind its pieces. */
export const dify: Dialect = {
  wire: {
    errorBody: (status, { message, code }) => ({ status, code: code || 'internal_server_error', message }),
    errorEvent: (status, { message, code }) => ({
      data: JSON.stringify({ event: 'error', status, code: code || 'internal_server_error', message }),
    }),
  },
  serves: ({ method, path }) => method === 'POST' && application.test(path),
  respond({ path, json, number }, behaviour) {
    const body = objectOr(json)
    if (body['response_mode'] !== 'streaming') throw new Refusal(400, 'Agent Chat App does not support blocking mode')
    if (typeof body['user'] !== 'string') throw new Refusal(400, 'user is required')
    return application.exec(path)?.[1] === 'workflows/run'
      ? workflow(body, behaviour, number)
      : message(body, behaviour, number, path.endsWith('/chat-messages'))
  },
}

function generateText(body: JsonObject, behaviour: Behaviour) {
  const prompt = [body['query'] ?? objectOr(body['inputs'])['query']]
  const speech = generationFor({ ...plainRequest, prompt }, behaviour)
  const counted = plainCounted(behaviour.promptTokens ?? promptTokensOf(prompt), speech.completionTokens, behaviour)
  const pieces = [...speech.pieces, ...(behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : [])]
  return { pieces, counted }
}

function message(body: JsonObject, behaviour: Behaviour, number: number, isChat: boolean): SimulatedResponse {
  const { pieces, counted } = generateText(body, behaviour)
  const conversation =
    typeof body['conversation_id'] === 'string' ? body['conversation_id'] : `conversation-sim${number}`
  const about = { message_id: `message-sim${number}`, ...(isChat ? { conversation_id: conversation } : {}) }
  const event = (name: string, members: JsonObject): StreamEvent => ({
    data: JSON.stringify({ event: name, task_id: 'task-sim', created_at: 1_700_000_000, ...about, ...members }),
  })
  const isAgent = objectOr(body['inputs'])['agent'] === true
  const events = [
    ...(isAgent
      ? [event('agent_thought', { id: 'step-1', tool: 'weather', tool_input: '{"city":"Ulm"}', observation: 'wet' })]
      : []),
    { data: JSON.stringify({ event: 'ping' }) },
    ...pieces.map((piece) => event(isAgent ? 'agent_message' : 'message', { answer: piece })),
    ...(isAgent ? [event('message', { answer: pieces.join('') })] : []),
  ]
  const usage = counted.reported === undefined ? {} : { usage: counted.reported }
  const last = event('message_end', { metadata: usage })
  return { kind: 'stream', events, last, counted, responseId: isChat ? conversation : about.message_id }
}

function workflow(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const { pieces, counted } = generateText(body, behaviour)
  const id = `run-sim${number}`
  const event = (name: string, data: JsonObject): StreamEvent => ({
    data: JSON.stringify({ event: name, task_id: 'task-sim', workflow_run_id: id, data }),
  })
  const events = [
    event('workflow_started', { id }),
    event('node_finished', { node_type: 'llm', status: 'succeeded', outputs: { text: pieces.join('') } }),
    ...pieces.map((text) => event('text_chunk', { text })),
  ]
  const total = counted.promptTokens + counted.completionTokens
  const last = event('workflow_finished', {
    status: 'succeeded',
    outputs: { text: pieces.join('') },
    total_tokens: total,
  })
  return { kind: 'stream', events, last, counted: { ...counted, reported: undefined }, responseId: id }
}
