import { objectOf, objectsOf, textOf, type JsonObject } from '@tollgate/dialects'

/** What a model does round by round: the searches that it asks for, or a call of the client's tool. */
export type SearchPlan = readonly (readonly string[] | 'client-call')[]

/** Returns what a model says in the round that a chat has come to: as planned, or at last a text. */
export function completionOf(body: JsonObject, plan: SearchPlan): JsonObject {
  const round = objectsOf(body['messages']).filter(({ role }) => role === 'assistant').length
  const step = body['tool_choice'] === 'none' ? undefined : plan[round]
  const usage = {
    prompt_tokens: 1000 * (round + 1),
    completion_tokens: 100,
    total_tokens: 1000 * (round + 1) + 100,
  }
  const toolCalls = (
    step === 'client-call'
      ? [['look_up', {}] as const]
      : (step ?? []).map((query) => ['web_search', { query }] as const)
  ).map(([name, input], index) => ({
    id: `call_${round}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message =
    toolCalls.length > 0
      ? { role: 'assistant', content: null, tool_calls: toolCalls }
      : { role: 'assistant', content: `Thin, says https://ice.example/a after ${round} rounds.` }
  const finish = toolCalls.length > 0 ? 'tool_calls' : 'stop'
  return {
    id: 'c',
    object: 'chat.completion',
    model: 'open-model',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage,
  }
}

/** Returns a completion as a stream. */
export function streamOf({ choices, usage }: JsonObject): string {
  const [choice = {}] = objectsOf(choices)
  const message = objectOf(choice['message'])
  const calls = objectsOf(message['tool_calls']).map((call, index) => ({ index, ...call }))
  const text = textOf(message['content'])
  const chunk = (delta: object, finish: unknown = null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...(calls.length > 0 ? [chunk({ tool_calls: calls })] : text.split(/(?<= )/).map((content) => chunk({ content }))),
    chunk({}, choice['finish_reason']),
    { id: 'c', object: 'chat.completion.chunk', choices: [], usage },
  ]
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
}
