import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { objectsOf } from '../core/neutral/read'
import { noUsage } from '../core/usage'
import { plainOptions as options } from './test/answers'
import { calling, functionsIn, translate, upstreams } from './test/calls-of-tools'

const nested = {
  type: 'function',
  name: 'look',
  parameters: { type: 'object', properties: { id: { type: 'string' } } },
}
const namespace = { type: 'namespace', name: 'mcp__x', description: 'd', tools: [nested] }

/** A tool of each kind that only the client can run, a call of it as the client knows it, and as a function. */
const kinds: readonly { tool: JsonObject; name: string; args: JsonObject; call: JsonObject; output: JsonObject }[] = [
  {
    tool: namespace,
    name: 'mcp__x__look',
    args: { id: '7' },
    call: { type: 'function_call', name: 'look', namespace: 'mcp__x', arguments: '{"id":"7"}' },
    output: { type: 'function_call_output', output: 'found' },
  },
  {
    tool: { type: 'namespace', name: 'mcp__y__', tools: [{ type: 'custom', name: 'patch' }] },
    name: 'mcp__y__patch',
    args: { input: '+a' },
    call: { type: 'custom_tool_call', name: 'patch', namespace: 'mcp__y__', input: '+a' },
    output: { type: 'custom_tool_call_output', output: 'found' },
  },
  {
    tool: { type: 'namespace', name: 'functions', tools: [{ ...nested, name: 'plain' }] },
    name: 'plain',
    args: { id: '7' },
    call: { type: 'function_call', name: 'plain', arguments: '{"id":"7"}' },
    output: { type: 'function_call_output', output: 'found' },
  },
  {
    tool: { type: 'custom', name: 'free' },
    name: 'free',
    args: { input: 'ls' },
    call: { type: 'custom_tool_call', name: 'free', input: 'ls' },
    output: { type: 'custom_tool_call_output', output: 'found' },
  },
  {
    tool: { type: 'shell', environment: { type: 'local' } },
    name: 'shell',
    args: { commands: ['ls', 'pwd'], timeout_ms: 5 },
    call: {
      type: 'shell_call',
      action: { commands: ['ls', 'pwd'], timeout_ms: 5, max_output_length: null },
      environment: { type: 'local' },
    },
    output: {
      type: 'shell_call_output',
      output: [{ stdout: 'found', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  },
  {
    tool: { type: 'local_shell' },
    name: 'local_shell',
    args: { command: ['ls'], working_directory: '/' },
    call: { type: 'local_shell_call', action: { type: 'exec', env: {}, command: ['ls'], working_directory: '/' } },
    output: { type: 'local_shell_call_output', output: 'found' },
  },
  {
    tool: { type: 'apply_patch' },
    name: 'apply_patch',
    args: { type: 'update_file', path: 'a', diff: '+b' },
    call: { type: 'apply_patch_call', operation: { type: 'update_file', path: 'a', diff: '+b' } },
    output: { type: 'apply_patch_call_output', status: 'failed', output: 'found' },
  },
  {
    tool: { type: 'tool_search', execution: 'client', parameters: { type: 'object', properties: { goal: {} } } },
    name: 'tool_search',
    args: { goal: 'x' },
    call: { type: 'tool_search_call', execution: 'client', arguments: { goal: 'x' } },
    output: { type: 'tool_search_output', execution: 'client', tools: [{ type: 'function', name: 'found' }] },
  },
  {
    tool: { type: 'later_kind', name: 'new', parameters: { type: 'object' } },
    name: 'new',
    args: { a: 1 },
    call: { type: 'function_call', name: 'new', arguments: '{"a":1}' },
    output: { type: 'function_call_output', output: 'found' },
  },
]

const cases = kinds.flatMap((kind) => upstreams.map((upstream) => [kind.name, upstream, kind] as const))

describe.each(cases)('the tool %s of a client of Responses over %s', (name, upstream, { tool, args, call, output }) => {
  const declared = translate('openai-responses', upstream, { input: 'hi', tools: [tool], tool_choice: 'required' })
  const answer = calling[upstream]?.(name, args) ?? {}

  test('the tool is declared as a function, and nothing is left out', () => {
    expect(functionsIn(declared.body)).toContain(name)
    expect(declared.warnings).toEqual([])
  })

  test('a call has the form of its client', () => {
    const written = declared.read(answer).write(noUsage, options)
    expect(objectsOf(written['output'])).toMatchObject([{ ...call, status: 'completed', call_id: expect.any(String) }])
    expect(written['tools']).toEqual([tool])
  })

  test('earlier calls and results stay in the conversation', () => {
    const input = [
      { ...call, call_id: 'c', id: 'i' },
      output['type'] === 'local_shell_call_output' ? { ...output, id: 'i' } : { ...output, call_id: 'c' },
    ]
    const { body, warnings } = translate('openai-responses', upstream, { input, tools: [tool] })
    const sent = JSON.stringify(body)
    expect(sent.replaceAll('\\', '').match(new RegExp(`"name":"${name}"`, 'g'))?.length).toBeGreaterThanOrEqual(2)
    expect(sent).toContain('found')
    expect(warnings).toEqual([])
  })
})

test('a tool that is streamed has the form of its client', () => {
  const declared = translate('openai-responses', 'openai-chat', {
    input: 'hi',
    tools: [namespace, { type: 'apply_patch' }],
  })
  const delta = (index: number, name: string, args: string) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: args } }] } }],
  })
  const events = [delta(0, 'mcp__x__look', '{"id":"7"}'), delta(1, 'apply_patch', '{"type":"delete_file","path":"a"}')]
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  const tap = declared.createTap?.(options)
  const parts = [...events, end].map(
    (event) => tap?.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`)) ?? Buffer.of(),
  )
  const text = Buffer.concat([...parts, tap?.finish(null) ?? Buffer.of()]).toString()
  const items = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item)
  expect(items).toMatchObject([
    { type: 'function_call', name: 'look', namespace: 'mcp__x', arguments: '{"id":"7"}' },
    { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
  ])
})

test('arguments that a shell does not take are left to the client as a function call', () => {
  const declared = translate('openai-responses', 'openai-chat', { input: 'hi', tools: [{ type: 'shell' }] })
  const answer = calling['openai-chat']?.('shell', { cmd: 'ls' }) ?? {}
  expect(declared.read(answer).write(noUsage, options)['output']).toMatchObject([
    { type: 'function_call', name: 'shell', arguments: '{"cmd":"ls"}' },
  ])
})

test('two tools whose names are the same once they are joined stay apart', () => {
  const tools = [
    { ...nested, name: 'a__b' },
    { type: 'namespace', name: 'a', tools: [{ ...nested, name: 'b' }] },
  ]
  const input = [{ type: 'function_call', call_id: 'c', name: 'b', namespace: 'a', arguments: '{}' }]
  const declared = translate('openai-responses', 'openai-chat', { input, tools })
  const [first, second] = functionsIn(declared.body)
  expect([first, second]).toEqual(['a__b', expect.stringMatching(/^a__b_[0-9a-f]{8}$/)])
  expect(JSON.stringify(declared.body['messages'])).toContain(`"name":"${second}"`)
  const output = (name = '') =>
    declared.read(calling['openai-chat']?.(name, {}) ?? {}).write(noUsage, options)['output']
  expect(output(first)).toMatchObject([{ name: 'a__b' }])
  expect(output(second)).toMatchObject([{ name: 'b', namespace: 'a' }])
})

test.each([
  [
    { type: 'function', name: 'look', namespace: 'mcp__x' },
    { type: 'function', function: { name: 'mcp__x__look' } },
  ],
  [
    { type: 'function', name: 'look' },
    { type: 'function', function: { name: 'mcp__x__look' } },
  ],
  [{ type: 'shell' }, { type: 'function', function: { name: 'shell' } }],
  [
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'namespace', name: 'mcp__x' }] },
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'mcp__x__look' } }] },
    },
  ],
])('the choice %j reaches the function that stands for the tool', (tool_choice, expected) => {
  const tools = [namespace, { type: 'shell' }]
  const { body } = translate('openai-responses', 'openai-chat', { input: 'hi', tools, tool_choice })
  expect(body['tool_choice']).toEqual(expected)
})

test('tools that a conversation brings are declared too, once', () => {
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [{ ...nested, name: 'added' }] },
    { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { goal: 'x' } },
    { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [namespace] },
    { role: 'user', content: 'go on' },
  ]
  const { body, warnings } = translate('openai-responses', 'openai-chat', { input, tools: [namespace] })
  expect(functionsIn(body)).toEqual(['mcp__x__look', 'added'])
  expect(warnings).toEqual([])
})

test.each([
  [{ type: 'mcp', server_label: 'deepwiki', server_url: 'https://x' }, 'the built-in tool mcp deepwiki'],
  [{ type: 'shell', environment: { type: 'container_auto' } }, 'the built-in tool shell'],
  [{ type: 'computer_use_preview', environment: 'linux' }, 'the built-in tool computer_use_preview'],
  [{ type: 'tool_search' }, 'the built-in tool tool_search'],
  [{ type: 'of_tomorrow' }, 'the built-in tool of_tomorrow'],
])('the vendor’s own tool %j is named as it is', (tool, warning) => {
  expect(translate('openai-responses', 'openai-chat', { input: 'hi', tools: [tool] }).warnings).toEqual([warning])
})

describe('tools of free text in a chat', () => {
  const custom = { name: 'sh', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } } }
  const call = { id: 'c', type: 'custom', custom: { name: 'sh', input: 'ls' } }
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'found' },
  ]
  const declareTool = (upstream: DialectId) =>
    translate('openai-chat', upstream, { messages, tools: [{ type: 'custom', custom }] })

  test.each(upstreams.filter((upstream) => upstream !== 'openai-chat'))(
    'tools of free text are functions over %s and free text for the client',
    (upstream) => {
      const requested = declareTool(upstream)
      const { body, warnings } = requested
      expect(functionsIn(body)).toContain('sh')
      expect(JSON.stringify(body)).toContain('start: ')
      expect(JSON.stringify(body).replaceAll('\\', '')).toContain('{"input":"ls"}')
      expect(warnings).toEqual([])
      const message = { tool_calls: [{ type: 'custom', custom: { name: 'sh', input: 'pwd' } }] }
      expect(requested.read(calling[upstream]?.('sh', { input: 'pwd' }) ?? {}).write(noUsage, options)).toMatchObject({
        choices: [{ message }],
      })
    },
  )

  test('tools of free text stay so over Responses', () => {
    const { body } = declareTool('openai-responses')
    expect(body['tools']).toMatchObject([{ type: 'custom', name: 'sh', format: { type: 'grammar', syntax: 'lark' } }])
    expect(body['input']).toMatchObject([
      {},
      { type: 'custom_tool_call', input: 'ls' },
      { type: 'custom_tool_call_output' },
    ])
  })
})

test.each([
  ['bash_20250124', 'bash'],
  ['text_editor_20250728', 'str_replace_based_edit_tool'],
  ['memory_20250818', 'memory'],
  ['computer_20251124', 'computer'],
])('Anthropic’s tool %s, which the client runs, is a function elsewhere', (type, name) => {
  const body = { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [{ type, name }] }
  for (const upstream of upstreams.filter((one) => one !== 'anthropic-messages')) {
    const requested = translate('anthropic-messages', upstream, body)
    const { body: sent, warnings } = requested
    expect(functionsIn(sent)).toContain(name)
    expect(warnings).toEqual([])
    const { content } = requested.read(calling[upstream]?.(name, { command: 'ls' }) ?? {}).write(noUsage, options)
    expect(content).toMatchObject([{ type: 'tool_use', name, input: { command: 'ls' } }])
  }
})

test('a screen’s size goes along with the tool for it', () => {
  const screen = { type: 'computer_20251124', name: 'computer', display_width_px: 1280, display_height_px: 800 }
  const body = { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [screen] }
  for (const upstream of upstreams.filter((one) => one !== 'anthropic-messages')) {
    const { body: sent, warnings } = translate('anthropic-messages', upstream, body)
    expect(functionsIn(sent)).toEqual(['computer'])
    expect(JSON.stringify(sent)).toContain('1280 x 800 pixels')
    expect(warnings).toEqual([])
  }
})

test.each([
  { type: 'compaction', encrypted_content: 'gAAAA' },
  { type: 'compaction_trigger' },
  { type: 'of_tomorrow', encrypted_content: 'gAAAA' },
  { type: 'item_reference', id: 'msg_1' },
])('an item that holds the conversation is refused where it cannot be read: %j', (item) => {
  const input = [item, { role: 'user', content: 'go on' }]
  for (const upstream of upstreams)
    expect(() => translate('openai-responses', upstream, { input })).toThrow(/^Invalid 'input\[0\]': .* Send the whole/)
})

test('a compaction of Anthropic is carried as the summary that it is, and left out by name without one', () => {
  const translateCompaction = (content: unknown) =>
    translate('anthropic-messages', 'openai-chat', {
      max_tokens: 9,
      messages: [
        { role: 'assistant', content: [{ type: 'compaction', content }] },
        { role: 'user', content: 'go on' },
      ],
    })
  expect(translateCompaction('What was said.').body['messages']).toMatchObject([
    { role: 'assistant', content: 'What was said.' },
    {},
  ])
  expect(translateCompaction(null).warnings).toEqual(['the part compaction'])
})

test('a part of the result of a tool that cannot be sent along is named', () => {
  const result = (content: unknown) => ({
    max_tokens: 9,
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
    ],
  })
  const { warnings } = translate('anthropic-messages', 'gemini', result([{ type: 'tool_reference', name: 'g' }]))
  expect(warnings).toEqual(['the part tool_reference g'])
})
