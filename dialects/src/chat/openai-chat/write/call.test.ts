import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, Thinking, Tool } from '../../../core/neutral/call'
import { aCall, noSampling } from '../../../core/neutral/test/fixtures'
import { readChatRequest } from '../request'
import { openAiChatCodec as codec } from '../codec'

function write(change: Partial<NeutralCall> = {}): { body: JsonObject; warnings: string[] } {
  const warnings: string[] = []
  const body = codec.writeCall(aCall({ model: 'deepseek-chat', ...change }), (what) => warnings.push(what))
  readChatRequest(body)
  return { body, warnings }
}
const messagesOf = (messages: readonly Message[], model = 'deepseek-chat') =>
  write({ messages, model }).body['messages']
const text = (value: string): Part => ({ kind: 'text', text: value })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const call = (id: string): Part => ({ kind: 'tool-call', id, name: 'f', argumentsText: '{"a":1}' })
const image = { kind: 'image', source: { kind: 'data', data: 'AAAA', mime: 'image/png' } } as const
const imageUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('a request is written', () => {
  test('writes nothing that was not asked for', () => {
    expect(write()).toEqual({
      body: { model: 'deepseek-chat', messages: [{ role: 'user', content: 'hi' }] },
      warnings: [],
    })
  })

  test('writes all that was asked for', () => {
    const schema = { type: 'object' }
    const { body, warnings } = write({
      isStream: true,
      output: { kind: 'schema', name: '', description: '', schema, isStrict: true },
      parallelTools: false,
      tools: [{ kind: 'function', name: 'f', description: 'does', schema: {}, isStrict: null }],
      toolChoice: { kind: 'tool', name: 'f' },
      user: 'u'.repeat(65),
      serviceTier: 'flex',
      modalities: ['audio'],
      voice: { voice: 'alloy', format: 'pcm16' },
      sampling: {
        ...noSampling,
        maxTokens: 9,
        temperature: 0,
        topP: 0.5,
        seed: 1,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stop: ['a', 'b'],
        choices: 2,
        hasLogProbabilities: true,
        topLogProbabilities: 3,
      },
    })
    expect(warnings).toEqual([])
    expect(body).toEqual({
      model: 'deepseek-chat',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'does', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      seed: 1,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop: ['a', 'b'],
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      user: expect.stringMatching(/^[0-9a-f]{64}$/),
      service_tier: 'flex',
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'pcm16' },
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('keeps members of this dialect for its own clients, and those of another that mean the same', () => {
    const members = { logit_bias: { 5: 1 }, store: true, prompt_cache_key: 'k' }
    const metadata = { a: 'b' }
    expect(write({ metadata, own: { dialect: 'openai-chat', members } })).toMatchObject({
      body: { ...members, metadata },
      warnings: [],
    })
    const other = write({ metadata, own: { dialect: 'openai-responses', members } })
    expect(other.body).toMatchObject({ prompt_cache_key: 'k' })
    expect(other.body).not.toContainAnyKeys(['store', 'metadata', 'logit_bias'])
    expect(other.warnings).toEqual(['metadata'])
  })

  test('warns about everything without a counterpart', () => {
    const own = { dialect: 'anthropic-messages', value: { type: 'code_execution_20250825' } }
    const { body, warnings } = write({
      sampling: { ...noSampling, topK: 5, stop: ['a', 'b', 'c', 'd', 'e'] },
      model: 'gpt-4o',
      modalities: ['image'],
      tools: [{ kind: 'built-in', tool: 'code-execution', own }],
      toolChoice: { kind: 'required' },
      parallelTools: true,
      messages: [user(text('a'), { kind: 'own', dialect: 'anthropic-messages', value: {} })],
    })
    expect(body).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'a' }],
      stop: ['a', 'b', 'c', 'd'],
    })
    expect(warnings.sort()).toEqual(
      [
        'the part anthropic-messages',
        'answers in pictures',
        'more than 4 stop sequences',
        'the built-in tool code_execution_20250825',
        'top_k',
      ].sort(),
    )
  })
})

describe('tools', () => {
  const f: Tool = { kind: 'function', name: 'f', description: '', schema: {}, isStrict: true }
  const g: Tool = { ...f, name: 'g' }
  const choice = (toolChoice: NeutralCall['toolChoice']) => write({ tools: [f, g], toolChoice }).body['tool_choice']

  test('tools are chosen in every way', () => {
    expect(choice({ kind: 'auto' })).toBe('auto')
    expect(choice({ kind: 'none' })).toBe('none')
    expect(choice({ kind: 'required' })).toBe('required')
    expect(choice({ kind: 'required', among: ['g', 'gone'] })).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] },
    })
    expect(choice({ kind: 'tool', name: 'gone' })).toBeUndefined()
  })

  test('free-text tools are written as they came, and chosen as such', () => {
    const value = { type: 'custom', custom: { name: 'sh' } }
    const tools: Tool[] = [{ kind: 'built-in', tool: 'other', own: { dialect: 'openai-chat', value } }]
    expect(write({ tools, toolChoice: { kind: 'tool', name: 'sh' } }).body).toMatchObject({
      tools: [value],
      tool_choice: { type: 'custom', custom: { name: 'sh' } },
    })
  })

  test('web search tools become options where the model searches', () => {
    const value = { type: 'web_search_20250305', max_uses: 5, user_location: { type: 'approximate', city: 'Oslo' } }
    const tools: Tool[] = [{ kind: 'built-in', tool: 'web-search', own: { dialect: 'anthropic-messages', value } }]
    expect(write({ tools, model: 'gpt-4o-search-preview' })).toMatchObject({
      body: {
        web_search_options: {
          search_context_size: 'medium',
          user_location: { type: 'approximate', approximate: { city: 'Oslo' } },
        },
      },
      warnings: [],
    })
    expect(write({ tools, model: 'gpt-4o' })).toEqual({
      body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] },
      warnings: ['the built-in tool web_search_20250305'],
    })
  })
})

describe('thinking', () => {
  const createThinking = (change: Partial<Thinking>): Thinking => ({
    isEnabled: true,
    effort: null,
    budgetTokens: null,
    isShown: null,
    summary: null,
    ...change,
  })
  test.each([
    ['deepseek-chat', { effort: 'xhigh' }, 'xhigh'],
    ['deepseek-chat', { isEnabled: false }, undefined],
    ['deepseek-chat', { isEnabled: false, effort: 'none' }, 'none'],
    ['deepseek-chat', { budgetTokens: -1 }, undefined],
    ['gemini-2.5-pro', { budgetTokens: 9000 }, 'high'],
    ['o3', { effort: 'minimal' }, 'low'],
    ['o3', { effort: 'xhigh' }, 'high'],
    ['o3', { isEnabled: false }, 'low'],
    ['o1-mini', { effort: 'low' }, undefined],
    ['gpt-4o', { effort: 'low' }, undefined],
    ['gpt-4o', { isEnabled: false }, undefined],
    ['gpt-5', { isEnabled: false }, 'minimal'],
    ['gpt-5-mini', { effort: 'xhigh' }, 'high'],
    ['gpt-5-chat-latest', { effort: 'low' }, undefined],
    ['gpt-5.1', { isEnabled: false }, 'none'],
    ['gpt-5.1', { effort: 'minimal' }, 'low'],
    ['gpt-5.4-mini', { effort: 'xhigh' }, 'xhigh'],
    ['gpt-5.4-mini', { effort: 'max' }, 'xhigh'],
    ['gpt-5.6-terra', { effort: 'max' }, 'max'],
    ['gpt-6-luna', { effort: 'max' }, 'max'],
    ['gpt-6-luna', { isEnabled: false }, 'none'],
    ['gpt-6.1-sol', { isEnabled: false }, 'low'],
    ['gpt-6.1-sol', { budgetTokens: 40_000 }, 'xhigh'],
    ['gpt-oss-120b', { effort: 'max' }, 'xhigh'],
    ['gpt-35-turbo', { effort: 'high' }, undefined],
    ['gpt-5-pro', { effort: 'low' }, 'high'],
    ['gpt-oss-120b', { effort: 'low' }, 'low'],
  ] as const)('the effort of %s, asked as %j, is %p', (model, change, effort) => {
    expect(write({ model, thinking: createThinking(change) }).body['reasoning_effort']).toBe(effort as never)
  })

  test('warns about what is lost or changed', () => {
    expect(write({ model: 'gpt-4o', thinking: createThinking({ effort: 'low' }) }).warnings).toHaveLength(1)
    expect(write({ model: 'gpt-4o', thinking: createThinking({ isEnabled: false }) }).warnings).toEqual([])
    expect(write({ thinking: createThinking({ budgetTokens: 5000 }) }).warnings).toHaveLength(1)
    expect(write({ thinking: createThinking({ isEnabled: false }) }).warnings).toHaveLength(1)
  })

  test('keeps the stop sequences from models that refuse them', () => {
    const sampling = { ...noSampling, stop: ['END'] }
    expect(write({ model: 'gpt-5', sampling })).toMatchObject({ warnings: ['stop sequences'] })
    expect(write({ model: 'gpt-4o', sampling }).body['stop']).toEqual(['END'])
  })
})

describe('messages', () => {
  test('tool results follow their calls at once; images and texts come behind', () => {
    const results = (id: string, parts: readonly (typeof image | { kind: 'text'; text: string })[]): Part => ({
      kind: 'tool-result',
      callId: id,
      name: 'f',
      parts,
      isError: false,
    })
    const long = `toolu_${'x'.repeat(50)}`
    const written = messagesOf([
      user(text('a')),
      assistant(call('c1'), call(long)),
      user(results('c1', [image]), text('see')),
      user(results(long, [{ kind: 'text', text: 'Rain' }])),
      user(text('b')),
    ])
    const short = expect.stringMatching(/^call_[0-9a-f]{35}$/)
    expect(written).toEqual([
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: short, type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'The result follows.' },
      { role: 'tool', tool_call_id: short, content: 'Rain' },
      { role: 'user', content: [imageUrl, { type: 'text', text: 'see' }] },
      { role: 'user', content: 'b' },
    ])
    const [, answer, , second] = written as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
    expect(second?.tool_call_id).toBe(answer?.tool_calls?.[1]?.id as string)
  })

  test('pictures of a result and words in between wait until every call has its result', () => {
    const resultOf = (callId: string, parts: (typeof image)[] = []): Part => {
      return { kind: 'tool-result', callId, name: 'f', parts, isError: false }
    }
    expect(
      messagesOf([
        assistant(call('c1'), call('c2')),
        user(resultOf('c1', [image])),
        user(text('wait')),
        user(resultOf('c2')),
      ]),
    ).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c1' },
      { role: 'tool', tool_call_id: 'c2' },
      { role: 'user', content: [imageUrl] },
      { role: 'user', content: 'wait' },
    ])
  })

  test('the result of a tool that failed silently says so', () => {
    const failed: Part = { kind: 'tool-result', callId: 'c', name: 'f', parts: [], isError: true }
    expect(messagesOf([user(failed)])).toEqual([{ role: 'tool', tool_call_id: 'c', content: 'The tool failed.' }])
  })

  test('instruct in the one role that all understand, or in OpenAI’s', () => {
    const messages: Message[] = [
      { role: 'system', parts: [text('One.'), text('Two.')] },
      { role: 'developer', parts: [text('Three.')] },
    ]
    expect(messagesOf(messages)).toEqual([
      { role: 'system', content: 'One.\n\nTwo.' },
      { role: 'system', content: 'Three.' },
    ])
    expect(messagesOf(messages, 'gpt-5')).toMatchObject([{ role: 'developer' }, { role: 'developer' }])
    expect(messagesOf(messages.slice(0, 1), 'gpt-5')).toMatchObject([{ role: 'system' }])
  })

  test('show pictures, sounds, files and videos', () => {
    const content = messagesOf([
      user(
        { ...image, detail: 'low' },
        { kind: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } },
        { kind: 'audio', source: { kind: 'data', data: 'BBBB', mime: 'audio/mpeg' } },
        {
          kind: 'file',
          source: { kind: 'data', data: 'CCCC', mime: 'application/pdf' },
          name: 'c.pdf',
          context: 'old',
        },
        { kind: 'file', source: { kind: 'id', id: 'file-1' } },
        { kind: 'file', source: { kind: 'data', data: btoa('plain'), mime: 'text/plain' }, name: 'd.txt' },
        { kind: 'video', source: { kind: 'url', url: 'https://a.example/b.mp4' } },
      ),
    ])
    expect(content).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
          { type: 'text', text: 'old' },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,CCCC', filename: 'c.pdf' } },
          { type: 'file', file: { file_id: 'file-1' } },
          { type: 'text', text: 'd.txt\nplain' },
          { type: 'video_url', video_url: { url: 'https://a.example/b.mp4' } },
        ],
      },
    ])
  })

  const signed = assistant(
    { kind: 'thinking', text: 'hm', signature: 'sig' },
    { kind: 'thinking', text: '', isRedacted: true, signature: 'enc' },
    { kind: 'text', text: 'So', cache: '5m' },
    { kind: 'tool-call', id: 'c', name: 'f', argumentsText: '', signature: 'gs' },
  )

  test('carry thoughts, signatures and marks to models that want them', () => {
    expect(messagesOf([signed], 'anthropic/claude-sonnet-4.5')).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'So', cache_control: { type: 'ephemeral' } }],
        reasoning_content: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
          { type: 'reasoning.encrypted', data: 'enc', format: 'anthropic-claude-v1', index: 1 },
        ],
        tool_calls: [
          {
            id: 'c',
            type: 'function',
            function: { name: 'f', arguments: '{}' },
            extra_content: { google: { thought_signature: 'gs' } },
          },
        ],
      },
    ])
    expect(messagesOf([signed])).toMatchObject([{ content: 'So', reasoning_content: 'hm' }])
  })

  test('carry nothing that OpenAI would refuse', () => {
    expect(messagesOf([signed], 'gpt-5')).toEqual([
      {
        role: 'assistant',
        content: 'So',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ])
  })

  test('a sound at an address is left out and named', () => {
    const audio: Part = { kind: 'audio', source: { kind: 'url', url: 'https://a.example/a.wav' } }
    const { body, warnings } = write({ messages: [user(text('hi'), audio)] })
    expect(body['messages']).toEqual([{ role: 'user', content: 'hi' }])
    expect(warnings).toEqual(['audio content that cannot be sent along'])
  })

  test('messages of the model without writable parts are left out', () => {
    expect(messagesOf([user(text('a')), assistant({ kind: 'thinking', text: 'hm' })], 'gpt-5')).toHaveLength(1)
    expect(messagesOf([assistant({ kind: 'thinking', text: 'hm' })])).toEqual([
      { role: 'assistant', content: '', reasoning_content: 'hm' },
    ])
  })

  test('refusals and speech of the model are written in their own members', () => {
    const spoken: Part = { kind: 'audio', source: { kind: 'id', id: 'audio_1' }, id: 'audio_1' }
    const refused: Part = { kind: 'refusal', text: 'No.' }
    expect(messagesOf([assistant(refused, spoken)], 'gpt-4o')).toEqual([
      { role: 'assistant', content: null, refusal: 'No.', audio: { id: 'audio_1' } },
    ])
    expect(messagesOf([assistant(refused)])).toEqual([{ role: 'assistant', content: 'No.' }])
    const heard: Part = { kind: 'audio', source: { kind: 'data', data: 'A', mime: 'audio/wav' }, transcript: 'Hi.' }
    expect(messagesOf([assistant(heard)])).toEqual([{ role: 'assistant', content: 'Hi.' }])
  })

  test('keep the mark of a tool’s result on its text', () => {
    const result: Part = {
      kind: 'tool-result',
      callId: 'c',
      name: '',
      parts: [{ kind: 'text', text: 'Rain' }],
      isError: false,
      cache: '1h',
    }
    const [message] = messagesOf([user(result)], 'claude-sonnet-4-5') as JsonObject[]
    expect(message?.['content']).toEqual([
      { type: 'text', text: 'Rain', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ])
    const body = { model: 'm', messages: [message] }
    expect(codec.readCall(body, { model: '', isStream: false }).messages[0]?.parts).toEqual([result])
  })
})
