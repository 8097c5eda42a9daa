import { translationInStepsOf, translationOf, type DialectId, type JsonObject } from '../../dialects/src/index'
import { inTurns, nextTurn } from '../../gateway/src/platform/time/timers'
import { helloMessages, quietly, times, type HostileInput } from './hostile-input'

/** A request of a client, translated for an upstream. */
const requestOf =
  (client: DialectId, upstream: DialectId, body: (size: number) => JsonObject, model = 'm') =>
  (size: number) => {
    const translate = translationOf(client, upstream)
    if (!translate) throw new Error(`No translation from ${client} to ${upstream}`)
    const payload = { model, ...body(size) }
    return () => quietly(() => translate(payload, { model, isStream: false }, model))
  }

/** A long request, whose steps have a turn each. */
const longRequestOf =
  (upstream: DialectId, body: (size: number) => JsonObject, model = 'm') =>
  (size: number) => {
    const translate = translationInStepsOf('openai-chat', upstream)
    if (!translate) throw new Error(`No translation to ${upstream}`)
    const payload = { model, ...body(size) }
    return async () => {
      try {
        const { body: written } = await inTurns(translate(payload, { model, isStream: false }, model))
        await nextTurn()
        JSON.stringify(written)
      } catch {
        // What is refused has cost its time too.
      }
    }
  }

/** A chat with these tools. */
const withTools = (tools: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  messages: helloMessages,
  tools,
  ...more,
})
const aTool = (name: string, parameters: JsonObject): JsonObject => ({
  type: 'function',
  function: { name, parameters },
})
const anyOfTools = (names: readonly string[]): JsonObject => ({
  type: 'allowed_tools',
  allowed_tools: { mode: 'required', tools: names.map((name) => ({ type: 'function', function: { name } })) },
})
/** A tool whose name alone differs, and the choice among all of them. */
const chosenTools = (size: number): JsonObject => {
  const names = [...times(size, (index) => `f${index}`)]
  return withTools(
    names.map((name) => aTool(name, {})),
    { tool_choice: anyOfTools(names) },
  )
}
/** Knows no JSON schemas. */
const oldGemini = 'gemini-1.5-pro'

/** As much as a request may have of each. */
const longInputs: readonly HostileInput[] = (
  ['anthropic-messages', 'gemini', 'openai-responses', 'ollama-chat'] as const
).flatMap((upstream) => [
  {
    name: `as many messages as a call may have, for ${upstream}`,
    size: 16_000,
    isAtLimit: true,
    make: longRequestOf(upstream, (size) => ({
      messages: [...times(size, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x' }))],
    })),
  },
  {
    name: `as many calls and results as a call may have, for ${upstream}`,
    size: 8000,
    isAtLimit: true,
    make: longRequestOf(upstream, (size) => ({
      messages: [
        ...helloMessages,
        {
          role: 'assistant',
          tool_calls: [
            ...times(size, (index) => ({
              id: `c${index}`,
              type: 'function',
              function: { name: 'f', arguments: '{}' },
            })),
          ],
        },
        ...times(size, (index) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'r' })),
      ],
    })),
  },
  {
    name: `as many tools as the structure of a body allows, for ${upstream}`,
    size: 14_000,
    isAtLimit: true,
    make: longRequestOf(upstream, (size) =>
      withTools([
        ...times(size, (index) => aTool(`f${index}`, { type: 'object', properties: { a: { type: 'string' } } })),
      ]),
    ),
  },
  {
    name: `as wide a schema as the structure of a body allows, for ${upstream}`,
    size: 60_000,
    isAtLimit: true,
    make: longRequestOf(upstream, (size) => {
      const properties = Object.fromEntries(times(size, (index) => [`p${index}`, { type: 'string' }]))
      return withTools([aTool('f', { type: 'object', properties })])
    }),
  },
])

/** The arguments of a call, and the result of another, are texts to a parser of bodies. */
const withTexts = (text: string): JsonObject => ({
  messages: [
    ...helloMessages,
    {
      role: 'assistant',
      tool_calls: ['a', 'b'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'f', arguments: id === 'a' ? text : '{}' },
      })),
    },
    ...['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: id === 'b' ? text : 'r' })),
  ],
})

/** What clients send, translated for an upstream. */
export const requestInputs: readonly HostileInput[] = [
  ...longInputs,
  ...(['anthropic-messages', 'gemini', 'ollama-chat'] as const).flatMap((upstream) => [
    {
      name: `arguments and results with numbers, for ${upstream}`,
      size: 4_000_000,
      isAtLimit: true as const,
      make: longRequestOf(upstream, (size) => withTexts(`{"a":[${'1,'.repeat(size)}1]}`)),
    },
    {
      name: `arguments and results with a number of many digits, for ${upstream}`,
      size: 7_000_000,
      isAtLimit: true as const,
      make: longRequestOf(upstream, (size) => withTexts(`{"a":${'1'.repeat(size)}}`)),
    },
    {
      name: `arguments and results that are nested deeply, for ${upstream}`,
      size: 7_000_000,
      isAtLimit: true as const,
      make: longRequestOf(upstream, (size) => withTexts(`{"a":${'['.repeat(size)}`)),
    },
  ]),
  {
    name: 'results of one turn, for Gemini',
    size: 2000,
    make: requestOf('anthropic-messages', 'gemini', (size) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [...times(size, (index) => ({ type: 'tool_use', id: `c${index}`, name: 'f', input: {} }))],
        },
        {
          role: 'user',
          content: [
            ...times(size, (index) => ({ type: 'tool_result', tool_use_id: `c${size - index - 1}`, content: 'r' })),
          ],
        },
      ],
    })),
  },
  {
    name: 'results of Responses behind one another',
    size: 2000,
    make: requestOf('openai-responses', 'openai-chat', (size) => ({
      input: [
        { role: 'user', content: 'x' },
        ...times(size, (index) => ({ type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '{}' })),
        ...times(size, (index) => ({ type: 'function_call_output', call_id: `c${index}`, output: 'r' })),
      ],
    })),
  },
  {
    name: 'tools of one name in many namespaces',
    size: 3000,
    make: requestOf('openai-responses', 'openai-chat', (size) => ({
      input: 'x',
      tools: [
        ...times(size, (index) => ({ type: 'namespace', name: `n${index}`, tools: [{ type: 'function', name: 'f' }] })),
      ],
    })),
  },
  {
    name: 'calls that have one id, and their results',
    size: 4000,
    make: requestOf('openai-chat', 'anthropic-messages', (size) => ({
      messages: [
        ...helloMessages,
        {
          role: 'assistant',
          tool_calls: [...times(size, () => ({ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }))],
        },
        ...times(size, () => ({ role: 'tool', tool_call_id: 'c', content: 'r' })),
      ],
    })),
  },
  {
    name: 'settings of turns that are over',
    size: 4000,
    make: requestOf('anthropic-messages', 'openai-chat', (size) => ({
      max_tokens: 9,
      messages: [
        ...helloMessages,
        ...times(size, () => ({
          role: 'system',
          content: 'x',
          clear_at: 'next_user_message',
          output_config: { effort: 'low' },
        })),
        { role: 'assistant', content: 'x' },
      ],
    })),
  },
  { name: 'a choice among tools, for Gemini', size: 3000, make: requestOf('openai-chat', 'gemini', chosenTools) },
  { name: 'a choice among tools, for Cohere', size: 3000, make: requestOf('openai-chat', 'cohere-chat', chosenTools) },
  {
    name: 'results of the first version of Cohere’s chat',
    size: 2000,
    make: requestOf('cohere-chat-v1', 'openai-chat', (size) => ({
      message: 'x',
      chat_history: [
        {
          role: 'CHATBOT',
          message: '',
          tool_calls: [...times(size, (index) => ({ name: `f${index}`, parameters: {} }))],
        },
      ],
      tool_results: [
        ...times(size, (index) => ({ call: { name: `f${size - index - 1}`, parameters: {} }, outputs: [{ a: 1 }] })),
      ],
    })),
  },
  {
    name: 'schemas: alternatives that all name one large schema',
    size: 3000,
    make: requestOf('openai-chat', 'anthropic-messages', (size) => {
      const names = [...times(size, (index) => `p${index}`)]
      const large = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names }
      const anyOf = [...times(64, () => ({ $ref: '#/$defs/large', title: 'x' }))]
      return withTools([aTool('f', { anyOf, $defs: { large } })])
    }),
  },
  {
    name: 'schemas: a property that alternatives describe at length',
    size: 60,
    make: requestOf('openai-chat', 'anthropic-messages', (size) => {
      const long = (index: number) => ({ enum: [...times(size, () => 'x'.repeat(100)), String(index)] })
      const anyOf = [...times(64, (index) => ({ properties: { a: long(index) } }))]
      return withTools([aTool('f', { anyOf })])
    }),
  },
  {
    name: 'schemas that hold themselves, for old models of Gemini',
    size: 300,
    make: requestOf(
      'openai-chat',
      'gemini',
      (size) => {
        const itself = { $ref: '#' }
        return withTools([
          ...times(size, (index) => aTool(`f${index}`, { type: 'object', properties: { a: itself, b: itself } })),
        ])
      },
      oldGemini,
    ),
  },
  {
    name: 'schemas of many members that hold themselves, for old models of Gemini',
    size: 3000,
    make: requestOf(
      'openai-chat',
      'gemini',
      (size) => {
        const properties = Object.fromEntries(times(size, (index) => [`p${index}`, { $ref: '#' }]))
        return withTools([aTool('f', { type: 'object', properties })])
      },
      oldGemini,
    ),
  },
]
