import { describe, expect, test } from 'bun:test'

import { isObject, type JsonObject } from '@tollgate/dialects'

import { descriptionOf, providerOf, type Target } from '../index'
import { aTarget } from './fixture'

/** What Claude Code sends with every call, its own tools and one with a server's search among them. */
const claudeCode = {
  header: [
    'claude-code-20250219',
    'prompt-caching-scope-2026-01-05',
    'interleaved-thinking-2025-05-14',
    'fine-grained-tool-streaming-2025-05-14',
    'context-management-2025-06-27',
    'effort-2025-11-24',
    'advanced-tool-use-2025-11-20',
  ].join(','),
  body: {
    model: 'claude-sonnet-4-5-20250929',
    max_tokens: 32_000,
    stream: true,
    system: [
      { type: 'text', text: 'You are a coding agent.' },
      { type: 'text', text: 'The rules.', cache_control: { type: 'ephemeral', ttl: '1h', scope: 'global' } },
    ],
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'List the files.', cache_control: { type: 'ephemeral', scope: 'global' } }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '', signature: 'c2ln' },
          { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' }, caller: { type: 'direct' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
    tools: [
      { name: 'Bash', description: 'Runs.', input_schema: { type: 'object' }, eager_input_streaming: true },
      { name: 'mcp__x__y', description: 'Y.', input_schema: { type: 'object' }, defer_loading: true },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
    ],
    metadata: { user_id: 'user_1' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    thinking: { type: 'enabled', budget_tokens: 31_999 },
    service_tier: 'auto',
    diagnostics: { previous_message_id: 'msg_1' },
  },
} as const

interface Sent {
  readonly headers: Record<string, string>
  readonly body: JsonObject
  readonly leftOut: readonly string[]
}

/** What a vendor is sent of a call in its own dialect. */
function shapeCall(type: number, body: JsonObject, overrides: Partial<Target> = {}): Sent {
  const provider = providerOf(type)
  if (!provider) throw new Error(`No vendor has type ${type}`)
  const model = String(body['model'])
  const target = aTarget({ baseUrl: provider.baseUrl ?? 'https://upstream.example', model, ...overrides })
  const mode = descriptionOf(provider, { mode: 'chat', dialect: 'openai-chat' }, target)
  const shaped = mode?.shape?.(body, target) ?? { body }
  return { headers: mode?.headers?.(target) ?? {}, body: shaped.body, leftOut: shaped.leftOut ?? [] }
}

const key = 'AK1|sk1|us-east-1'
const account = JSON.stringify({ project_id: 'proj-1' })
const shapeClaudeCodeCall = (type: number, overrides: Partial<Target> = {}, body: JsonObject = {}) =>
  shapeCall(
    type,
    { ...claudeCode.body, ...body },
    {
      dialectHeaders: { 'anthropic-version': '2023-06-01', 'anthropic-beta': claudeCode.header },
      path: '/v1/messages?beta=true',
      stream: true,
      ...overrides,
    },
  )

/** The request without what every host of Claude lacks. */
const plain = {
  max_tokens: 32_000,
  system: [
    { type: 'text', text: 'You are a coding agent.' },
    { type: 'text', text: 'The rules.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'List the files.', cache_control: { type: 'ephemeral' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: 'c2ln' },
        { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
  ],
  metadata: { user_id: 'user_1' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  thinking: { type: 'enabled', budget_tokens: 31_999 },
}
const own = [
  { name: 'Bash', description: 'Runs.', input_schema: { type: 'object' } },
  { name: 'mcp__x__y', description: 'Y.', input_schema: { type: 'object' }, defer_loading: true },
]
const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }

describe('a call of Claude Code', () => {
  test('Bedrock gets the betas and members that it takes, and the rest is named', () => {
    const { body, leftOut } = shapeClaudeCodeCall(33, { key })
    expect(body).toEqual({
      ...plain,
      tools: own,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: [
        'interleaved-thinking-2025-05-14',
        'fine-grained-tool-streaming-2025-05-14',
        'context-management-2025-06-27',
        'effort-2025-11-24',
        'tool-search-tool-2025-10-19',
      ],
    })
    expect(leftOut).toEqual([
      'the beta claude-code-20250219',
      'the beta prompt-caching-scope-2026-01-05',
      'system[].cache_control.scope',
      'messages[].content[].cache_control.scope',
      'service_tier',
      'diagnostics',
      'messages[].content[].caller',
      'tools[].eager_input_streaming',
      'the built-in tool web_search_20250305 web_search',
    ])
  })

  test('Vertex gets the betas and members that it takes, and the rest is named', () => {
    const { headers, body, leftOut } = shapeClaudeCodeCall(41, { key: account })
    expect(body).toEqual({
      ...plain,
      stream: true,
      tools: [...own, search],
      anthropic_version: 'vertex-2023-10-16',
    })
    expect(headers['anthropic-beta']).toBe(
      'interleaved-thinking-2025-05-14,context-management-2025-06-27,tool-search-tool-2025-10-19',
    )
    expect(leftOut).toEqual([
      'the beta claude-code-20250219',
      'the beta prompt-caching-scope-2026-01-05',
      'the beta fine-grained-tool-streaming-2025-05-14',
      'the beta effort-2025-11-24',
      'system[].cache_control.scope',
      'messages[].content[].cache_control.scope',
      'service_tier',
      'diagnostics',
      'messages[].content[].caller',
      'tools[].eager_input_streaming',
    ])
  })

  test.each([
    ['claude-opus-4-6', true, true],
    ['claude-opus-5', true, true],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', false, true],
    ['claude-opus-4-1-20250805', false, false],
    ['claude-sonnet-4-20250514', false, false],
    ['claude-3-7-sonnet-20250219', false, false],
  ])('Bedrock takes of %s arguments in pieces: %p, and lifetimes of cached prompts: %p', (model, pieces, lifetimes) => {
    const { body } = shapeClaudeCodeCall(33, { key }, { model })
    const text = JSON.stringify(body)
    expect([text.includes('eager_input_streaming'), text.includes('"ttl"')]).toEqual([pieces, lifetimes])
  })

  test('Anthropic gets the bytes as they are', () => {
    const { headers, body, leftOut } = shapeClaudeCodeCall(14)
    expect([Object.is(body['messages'], claudeCode.body.messages), headers['anthropic-beta'], leftOut]).toEqual([
      true,
      claudeCode.header,
      [],
    ])
    expect(body).toEqual(claudeCode.body)
  })

  test.each<[string, readonly string[]]>([
    ['https://api.z.ai/api/anthropic', []],
    ['https://api.minimax.io/anthropic', []],
    ['https://dashscope.aliyuncs.com/apps/anthropic', []],
    ['https://api.deepseek.com/anthropic', ['the built-in tool memory_20250818 memory']],
    ['https://api.moonshot.ai/anthropic', ['the built-in tool tool_search_tool_regex_20251119 tool_search']],
    [
      'https://res-1.services.ai.azure.com/anthropic',
      ['the beta claude-code-20250219', 'the beta fine-grained-tool-streaming-2025-05-14'],
    ],
    [
      'https://bedrock-mantle.us-east-1.api.aws/anthropic',
      [
        'the beta prompt-caching-scope-2026-01-05',
        'system[].cache_control.scope',
        'messages[].content[].cache_control.scope',
        'service_tier',
        'diagnostics',
        'messages[].content[].caller',
      ],
    ],
  ])('the host %s gets it without what it refuses', (baseUrl, named) => {
    const tools = [
      ...claudeCode.body.tools,
      { type: 'memory_20250818', name: 'memory' },
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search' },
    ]
    const { leftOut } = shapeClaudeCodeCall(14, { baseUrl }, { tools })
    expect(leftOut.filter((name) => !named.includes(name) && !baseUrl.includes('deepseek'))).toEqual([])
    expect(named.filter((name) => !leftOut.includes(name))).toEqual([])
  })

  // https://github.com/anthropics/claude-code/issues/24168
  test.each<[number, string, boolean]>([
    [14, 'https://api.anthropic.com', true],
    [14, 'https://proxy.example', true],
    [14, 'https://api.z.ai/api/anthropic', false],
    [14, 'https://api.deepseek.com/anthropic', false],
    [33, 'https://bedrock-runtime.us-east-1.amazonaws.com', false],
    [41, 'https://aiplatform.googleapis.com', false],
  ])('channel type %s at %s gets what Claude Code says of itself: %s', (type, baseUrl, hasNote) => {
    const prompt = { type: 'text', text: 'You are Claude Code.' }
    const note = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197; cch=1a2b;' }
    const { body, leftOut } = shapeClaudeCodeCall(type, { baseUrl, key }, { system: [note, prompt] })
    expect(body['system']).toEqual(hasNote ? [note, prompt] : [prompt])
    expect(leftOut.includes('x-anthropic-billing-header')).toBe(!hasNote)
  })

  // https://platform.claude.com/docs/en/build-with-claude/effort-per-message
  test.each<[number, string, string, boolean]>([
    [14, 'https://api.anthropic.com', 'claude-opus-5-5', true],
    [14, 'https://api.anthropic.com', 'claude-sonnet-5', false],
    [14, 'https://api.deepseek.com/anthropic', 'deepseek-flash', false],
    [14, 'https://bedrock-mantle.us-east-1.api.aws/anthropic', 'anthropic.claude-opus-5-5', true],
    [14, 'https://bedrock-mantle.us-east-1.api.aws/anthropic', 'anthropic.claude-opus-4-8', false],
    [14, 'https://res-1.services.ai.azure.com/anthropic', 'claude-haiku-5-5', true],
    [14, 'https://res-1.services.ai.azure.com/anthropic', 'claude-fable-5', false],
    [33, 'https://bedrock-runtime.us-east-1.amazonaws.com', 'claude-opus-5-5', true],
    [33, 'https://bedrock-runtime.us-east-1.amazonaws.com', 'claude-opus-4-7', false],
    [41, 'https://aiplatform.googleapis.com', 'claude-sonnet-5-5', true],
    [41, 'https://aiplatform.googleapis.com', 'claude-sonnet-5', false],
  ])('channel type %s at %s takes the efforts of turns for %s: %s', (type, baseUrl, model, isTaken) => {
    const setting = { role: 'system', content: [], output_config: { effort: 'low' } }
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      setting,
      { role: 'user', content: 'c' },
    ]
    const beta = 'mid-conversation-output-config-2026-07-01'
    const request = { model, messages, output_config: { effort: 'high' }, thinking: { type: 'adaptive' } }
    const sent = shapeClaudeCodeCall(
      type,
      { baseUrl, key: type === 41 ? account : key, dialectHeaders: { 'anthropic-beta': beta } },
      request,
    )
    expect(sent.body['messages']).toEqual(isTaken ? messages : messages.filter((message) => message !== setting))
    expect(sent.body['output_config']).toMatchObject({ effort: isTaken ? 'high' : 'low' })
    const sentBeta = sent.headers['anthropic-beta'] ?? String(sent.body['anthropic_beta'])
    expect(isTaken ? sentBeta : beta).toBe(beta)
  })

  // `clear_at` of BetaSystemMessageParam, in the types of @anthropic-ai/sdk 1.14.0
  test('words for one turn alone are shown as they say to hosts that know efforts of turns', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'system', content: 'It is late.', clear_at: 'next_user_message' },
      { role: 'system', content: 'Hurry.', clear_at: 'next_user_message', output_config: { effort: 'low' } },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'system', content: 'It is later.', clear_at: 'next_user_message' },
    ]
    const { body } = shapeClaudeCodeCall(33, { key }, { model: 'claude-opus-5-5', messages })
    expect(body['messages']).toEqual([
      messages[0],
      { role: 'system', content: [], output_config: { effort: 'low' } },
      messages[3],
      messages[4],
      { role: 'system', content: 'It is later.' },
    ])
  })

  test.each([
    ['https://api.anthropic.com', '2026-10-21'],
    ['https://proxy.example', '2026-10-21'],
    ['https://bedrock-mantle.us-east-1.api.aws/anthropic', '2023-06-01'],
    ['https://api.deepseek.com/anthropic', '2023-06-01'],
  ])('%s is sent the version %s for a client of the newest', (baseUrl, version) => {
    const { headers } = shapeClaudeCodeCall(14, { baseUrl, dialectHeaders: { 'anthropic-version': '2026-10-21' } })
    expect(headers['anthropic-version']).toBe(version)
  })

  test('a choice of a tool that is left out goes with it, and all choices go with the last tool', () => {
    const choice = { tool_choice: { type: 'tool', name: 'web_search' } }
    expect('tool_choice' in shapeClaudeCodeCall(33, { key }, choice).body).toBe(false)
    expect(
      shapeClaudeCodeCall(33, { key }, { tool_choice: { type: 'tool', name: 'Bash' } }).body['tool_choice'],
    ).toEqual({
      type: 'tool',
      name: 'Bash',
    })
    const { body } = shapeClaudeCodeCall(33, { key }, { ...choice, tools: [search] })
    expect(['tools' in body, 'tool_choice' in body]).toEqual([false, false])
  })

  test('betas in the body count as those in the header', () => {
    const { body, leftOut } = shapeCall(
      33,
      { model: 'claude-opus-4-6', anthropic_beta: ['extended-cache-ttl-2025-04-11', 'effort-2025-11-24', 7] },
      { key },
    )
    expect([body['anthropic_beta'], leftOut]).toEqual([
      ['effort-2025-11-24'],
      ['the beta extended-cache-ttl-2025-04-11'],
    ])
  })
})

const developer = [{ role: 'developer', content: 'Be brief.' }]
const asSystem = [{ role: 'system', content: 'Be brief.' }]
const roles = (type: number, overrides: Partial<Target> = {}, model = 'm') =>
  shapeCall(type, { model, messages: developer }, overrides).body['messages']

describe('a chat for a vendor that takes less of it', () => {
  test.each([
    ['DeepSeek', 43],
    ['Kimi', 25],
    ['GLM', 16],
    ['DashScope', 17],
    ['SiliconCloud', 40],
    ['MiniMax', 35],
    ['Qianfan', 46],
    ['Hunyuan', 23],
    ['VolcEngine', 45],
    ['Mistral', 42],
  ])('%s reads instructions of a developer as those of the system', (_name, type) => {
    expect(roles(type)).toEqual(asSystem)
  })

  test.each([
    ['OpenAI', 1],
    ['OpenRouter', 20],
    ['a compatible host', 8],
  ])('%s reads instructions of a developer as they are', (_name, type) => {
    expect(roles(type)).toBe(developer)
  })

  test.each<[number, string, JsonObject, readonly string[]]>([
    [43, 'deepseek-reasoner', { logprobs: true, top_logprobs: 2 }, ['logprobs', 'top_logprobs']],
    [43, 'deepseek-chat', { logprobs: true, top_logprobs: 2 }, []],
    [48, 'grok-4', { stop: ['a'], reasoning_effort: 'high' }, ['stop', 'reasoning_effort']],
    [48, 'grok-4.20-non-reasoning', { stop: ['a'], reasoning_effort: 'high' }, ['reasoning_effort']],
    [48, 'grok-4.6', { presence_penalty: 1, reasoning_effort: 'low' }, ['presence_penalty']],
    [48, 'grok-3', { stop: ['a'], reasoning_effort: 'high' }, ['reasoning_effort']],
    [42, 'mistral-large-latest', { store: true, logit_bias: {} }, ['store', 'logit_bias']],
    [1, 'gpt-5-mini', { top_p: 0.5, logprobs: true }, ['top_p', 'logprobs']],
    [1, 'gpt-4o', { top_p: 0.5, logprobs: true, store: true }, []],
  ])('vendor %p with %s and %j names %j', (type, model, members, named) => {
    const { body, leftOut } = shapeCall(type, { model, messages: [], ...members })
    expect(leftOut).toEqual(named)
    expect(named.filter((name) => name in body)).toEqual([])
    const remaining = Object.keys(members).filter((name) => !named.includes(name))
    expect(remaining.filter((name) => !(name in body))).toEqual([])
  })
})

const groq = 'https://api.groq.com/openai/v1/chat/completions'

test.each([
  ['a compatible channel', 8, groq],
  ['a channel of OpenAI’s type', 1, 'https://api.groq.com/openai'],
])('%s at Groq leaves out what Groq refuses', (_name, type, baseUrl) => {
  const messages = [{ role: 'user', name: 'Ann', content: 'hi' }]
  const { body, leftOut } = shapeCall(type, { model: 'm', messages, logit_bias: {}, top_k: 4 }, { baseUrl })
  expect(leftOut).toEqual(['logit_bias', 'messages[].name'])
  expect(body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }], top_k: 4 })
})

test.each([
  ['https://api.deepseek.com/v1/chat/completions', asSystem],
  ['https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions', asSystem],
  ['https://api.z.ai/api/paas/v4/chat/completions', asSystem],
  ['https://notz.ai/v1/chat/completions', developer],
  ['https://x.example/api.deepseek.com/', developer],
])('a compatible channel at %s says whose instructions they are as the host knows it', (baseUrl, messages) => {
  expect(roles(8, { baseUrl })).toEqual(messages)
})

test('Google AI Studio gets no members that Google Cloud knows alone', () => {
  const requestMembers = { labels: { a: 'b' }, generationConfig: { topK: 3, audioTimestamp: true }, contents: [] }
  const { body, leftOut } = shapeCall(24, { model: 'gemini-3-pro', ...requestMembers }, { dialectHeaders: {} })
  expect([body['labels'], body['generationConfig'], leftOut]).toEqual([
    undefined,
    { topK: 3 },
    ['labels', 'generationConfig.audioTimestamp'],
  ])
  const cloud = shapeCall(41, { model: 'gemini-3-pro', ...requestMembers }, { dialectHeaders: {}, key: account })
  expect(cloud.leftOut).toEqual([])
})

test('what a body has in other shapes is left as it is', () => {
  const odd = {
    model: 'claude-opus-4-6',
    system: 'x',
    tools: { a: 1 },
    messages: [7, { content: 'hi' }],
    cache_control: 3,
  }
  const { body } = shapeCall(33, odd, { key })
  expect([body['system'], body['tools'], body['cache_control']]).toEqual(['x', { a: 1 }, 3])
  expect(isObject(body)).toBe(true)
})
