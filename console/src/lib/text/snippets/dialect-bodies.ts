import {
  argumentsOf,
  inlineImage,
  partsOf,
  present,
  textOf,
  type ChatCall,
  type ChatMessage,
  type ChatPart,
} from './chat-call'

/** Messages require a limit. */
const usualMaxTokens = 1024

/** Returns the call in Anthropic's Messages format without the model, which has no penalties, seed or JSON mode. */
export function anthropicBody({ system, messages, parameters }: ChatCall): Record<string, unknown> {
  const { max_tokens: limit = usualMaxTokens, temperature, top_p, stop, tools } = parameters
  return present({
    max_tokens: limit,
    system,
    messages: messages.map(anthropicMessage),
    temperature,
    top_p,
    stop_sequences: stop,
    tools: tools?.map(({ function: { name, description, parameters: schema } }) =>
      present({ name, description, input_schema: schema ?? { type: 'object' } }),
    ),
  })
}

function anthropicMessage(message: ChatMessage) {
  const { role, content, tool_calls: calls = [], tool_call_id: callId } = message
  if (callId !== undefined)
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: textOf(message) }] }
  if (typeof content === 'string' && calls.length === 0) return { role, content }
  const uses = calls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.function.name,
    input: argumentsOf(call),
  }))
  return { role, content: [...partsOf(message).map(anthropicPart), ...uses] }
}

function anthropicPart({ text = '', image_url: image }: ChatPart) {
  if (!image) return { type: 'text', text }
  const inline = inlineImage(image.url)
  const source = inline
    ? { type: 'base64', media_type: inline.type, data: inline.data }
    : { type: 'url', url: image.url }
  return { type: 'image', source }
}

/** Returns the call as Gemini's SDKs take it: contents and configuration. */
export function geminiCall({ system, messages, parameters }: ChatCall) {
  const { temperature, top_p, max_tokens, stop, seed, tools, response_format: format } = parameters
  const declarations = tools?.map(({ function: { name, description, parameters: schema } }) =>
    present({ name, description, parametersJsonSchema: schema }),
  )
  const generation = present({
    temperature,
    topP: top_p,
    maxOutputTokens: max_tokens,
    stopSequences: stop,
    seed,
    frequencyPenalty: parameters.frequency_penalty,
    presencePenalty: parameters.presence_penalty,
    responseMimeType: format && 'application/json',
    responseJsonSchema: format?.json_schema?.schema,
  })
  return {
    contents: messages.map((message) => geminiContent(message, messages)),
    system,
    generation,
    tools: declarations && [{ functionDeclarations: declarations }],
  }
}

function geminiContent(message: ChatMessage, all: readonly ChatMessage[]) {
  const { role, tool_calls: calls = [], tool_call_id: callId } = message
  if (callId !== undefined) {
    const name = all.flatMap((other) => other.tool_calls ?? []).find(({ id }) => id === callId)?.function.name ?? ''
    return { role: 'user', parts: [{ functionResponse: { name, response: { result: textOf(message) } } }] }
  }
  const called = calls.map((call) => ({ functionCall: { name: call.function.name, args: argumentsOf(call) } }))
  return { role: role === 'assistant' ? 'model' : 'user', parts: [...partsOf(message).map(geminiPart), ...called] }
}

function geminiPart({ text = '', image_url: image }: ChatPart) {
  if (!image) return { text }
  const inline = inlineImage(image.url)
  return inline ? { inlineData: { mimeType: inline.type, data: inline.data } } : { fileData: { fileUri: image.url } }
}

/** Returns the call in OpenAI's Responses format without the model, which has no penalties, seed or stop sequences. */
export function responsesBody({ system, messages, parameters }: ChatCall): Record<string, unknown> {
  const { temperature, top_p, max_tokens, tools, response_format: format } = parameters
  const [first, ...others] = messages
  const isOneText = first?.role === 'user' && typeof first.content === 'string' && others.length === 0
  const requested = format?.json_schema
    ? { type: 'json_schema', ...format.json_schema }
    : format && { type: format.type }
  return present({
    instructions: system,
    input: isOneText ? first.content : messages.flatMap(responsesItems),
    temperature,
    top_p,
    max_output_tokens: max_tokens,
    tools: tools?.map(({ function: described }) => ({ type: 'function', ...described })),
    text: requested && { format: requested },
  })
}

function responsesItems(message: ChatMessage): readonly object[] {
  const { role, content, tool_calls: calls = [], tool_call_id: callId } = message
  if (callId !== undefined) return [{ type: 'function_call_output', call_id: callId, output: textOf(message) }]
  const parts = partsOf(message).map(({ text = '', image_url: image }) =>
    image
      ? { type: 'input_image', image_url: image.url }
      : { type: role === 'assistant' ? 'output_text' : 'input_text', text },
  )
  return [
    ...(parts.length > 0 ? [{ role, content: typeof content === 'string' ? content : parts }] : []),
    ...calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called })),
  ]
}
