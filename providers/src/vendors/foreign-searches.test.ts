import { expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { descriptionOf } from '../index'
import { anthropic } from './anthropic'
import { aTarget } from './fixture'

const proven = {
  type: 'web_search_result_location',
  url: 'https://a',
  encrypted_index: 'c2ln',
  cited_text: '',
  title: 'A',
}
const unproven = { ...proven, encrypted_index: '' }
const blocksOf = (id: string): JsonObject[] => [
  { type: 'server_tool_use', id, name: 'web_search', input: { query: 'ice' } },
  { type: 'web_search_tool_result', tool_use_id: id, content: [] },
]
const text = (...citations: readonly JsonObject[]): JsonObject => ({ type: 'text', text: 'It freezes.', citations })

const shapeCall = (content: readonly JsonObject[], tools: readonly JsonObject[]) => {
  const model = 'claude-opus-4-8'
  const body = {
    model,
    max_tokens: 9,
    tools,
    messages: [
      { role: 'assistant', content },
      { role: 'user', content: 'Go on' },
    ],
  }
  const target = aTarget({ baseUrl: 'https://api.anthropic.com', model })
  const description = descriptionOf(anthropic, { mode: 'chat', dialect: 'anthropic-messages' }, target)
  return { asked: body, sent: description?.shape?.(body, target) }
}
const search = { type: 'web_search_20250305', name: 'web_search' }

test('Anthropic gets its own searches and citations, and none that another vendor’s answer had', () => {
  const { sent } = shapeCall(
    [...blocksOf('srvtoolu_01'), text(proven, unproven), ...blocksOf('srvtoolu_foreign_1'), text(unproven)],
    [search],
  )
  const { citations: _, ...uncited } = text()
  expect(sent?.body['messages']).toEqual([
    { role: 'assistant', content: [...blocksOf('srvtoolu_01'), text(proven), uncited] },
    { role: 'user', content: 'Go on' },
  ])
  expect(sent?.leftOut).toEqual(['searches of another vendor'])
})

test('a conversation of Anthropic alone is sent as it is', () => {
  const { asked: requested, sent } = shapeCall([...blocksOf('srvtoolu_01'), text(proven)], [search])
  expect(sent).toEqual({ body: requested })
  expect(sent?.body).toBe(requested)
})
