import { describe, expect, test } from 'bun:test'

import { noUsage } from '../core/usage'
import { plainOptions as options } from './test/answers'
import { calling, functionsIn, translate, upstreams } from './test/calls-of-tools'

describe('toolsets of Anthropic', () => {
  const toolset = {
    type: 'computer_toolset_20260801',
    configs: { zoom: { enabled: false }, left_click: { enabled: true }, wait: null },
  }
  const browser = { type: 'browser_toolset_20260801', configs: { javascript_exec: { enabled: true } } }
  const own = { name: 'screenshot', input_schema: { type: 'object', properties: {} } }
  const called = {
    type: 'tool_use',
    id: 'c',
    name: 'left_click',
    toolset_name: 'computer',
    input: { coordinate: [1, 2] },
  }
  const state = { tabs: [{ tab_id: 't1', title: 'Home', url: 'https://a.example' }] }
  const seen = { type: 'browser_state', ...state, cache_control: { type: 'ephemeral' } }
  const body = {
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [called] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', toolset_name: 'computer', content: [seen] }] },
    ],
    tools: [toolset, browser, own],
  }
  const others = upstreams.filter((one) => one !== 'anthropic-messages')

  test.each(others)('toolsets become functions over %s, without the members that are turned off', (upstream) => {
    const { body: sent, warnings } = translate('anthropic-messages', upstream, body)
    const names = functionsIn(sent)
    expect(names.filter((name) => name.startsWith('computer__'))).toHaveLength(16)
    expect(names.filter((name) => name.startsWith('browser__'))).toHaveLength(28)
    expect(names).not.toContain('computer__zoom')
    expect(names).not.toContain('browser__read_console')
    expect(names).toContain('browser__javascript_exec')
    expect(names.at(-1)).toBe('screenshot')
    expect(warnings).toEqual([])
  })

  test.each(others)('the conversation calls the same functions over %s', (upstream) => {
    const { body: sent } = translate('anthropic-messages', upstream, body)
    const { tools: _tools, ...rest } = sent
    const text = JSON.stringify(rest).replaceAll('\\', '')
    expect(text).toContain('"computer__left_click"')
    expect(text).toContain('{"coordinate":[1,2]}')
    expect(text).toContain('https://a.example')
    expect(text).not.toContain('cache_control')
  })

  test.each(others)(
    'calls over %s come back as members of the toolset, those of the client’s own as its own',
    (upstream) => {
      const requested = translate('anthropic-messages', upstream, body)
      const call = (name: string) =>
        requested.read(calling[upstream]?.(name, { text: 'x' }) ?? {}).write(noUsage, options)['content']
      expect(call('computer__key')).toEqual([
        { type: 'tool_use', id: expect.any(String), name: 'key', toolset_name: 'computer', input: { text: 'x' } },
      ])
      expect(call('browser__key')).toMatchObject([{ name: 'key', toolset_name: 'browser' }])
      expect(call('screenshot')).toEqual([
        { type: 'tool_use', id: expect.any(String), name: 'screenshot', input: { text: 'x' } },
      ])
    },
  )

  test('streamed calls come back as members of the toolset', () => {
    const tap = translate('anthropic-messages', 'openai-chat', body).createTap?.(options)
    const delta = {
      tool_calls: [{ index: 0, id: 'c', function: { name: 'computer__wait', arguments: '{"duration":1}' } }],
    }
    const frame = `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`
    const written = Buffer.from(tap?.push(Buffer.from(frame)) ?? []).toString()
    expect(written).toContain('"name":"wait","toolset_name":"computer"')
  })

  test('an upstream of the same dialect gets what the client declared', () => {
    const { body: sent } = translate('anthropic-messages', 'anthropic-messages', body)
    expect(sent['tools']).toEqual([toolset, browser, own])
    expect(sent['messages']).toMatchObject([{}, { content: [called] }, {}])
  })

  test('a toolset of another version, whose members are not known, is named', () => {
    const tools = [{ type: 'computer_toolset_20270101' }]
    const { body: sent, warnings } = translate('anthropic-messages', 'openai-chat', { ...body, tools })
    expect(sent['tools']).toBeUndefined()
    expect(warnings).toContain('the built-in tool computer_toolset_20270101')
  })
})
