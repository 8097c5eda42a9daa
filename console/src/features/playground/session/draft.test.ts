import { afterEach, expect, test } from 'bun:test'

import { aSession } from '../test/factories'
import { takeDraft } from '../../../lib/url/playground-draft'
import { withDraft } from './new-session'
import { messagesOf } from './request-body'

afterEach(() => sessionStorage.clear())

const hand = (value: unknown) => sessionStorage.setItem('playground-draft', JSON.stringify(value))
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const

test('a draft is taken once', () => {
  hand({ model: 'kite-1', messages: [{ role: 'user', content: 'Hi' }] })
  expect(takeDraft()).toEqual({ model: 'kite-1', messages: [{ role: 'user', content: 'Hi' }] })
  expect(takeDraft()).toBeUndefined()
})

test.each([[{ messages: 'no' }], [{ model: 7, messages: [] }], [null], ['text']])(
  '%j is not a draft, and is removed',
  (value) => {
    hand(value)
    expect(takeDraft()).toBeUndefined()
    expect(sessionStorage.getItem('playground-draft')).toBeNull()
  },
)

test('the messages of a draft become the conversation in their order', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
    { role: 'user', content: 'and tell' },
    { role: 'assistant', content: 'A dot.' },
    { role: 'assistant', content: 'A red one.' },
    { role: 'user', content: 'Thanks' },
  ]
  const { turns, settings } = withDraft(aSession(), { model: 'kite-1', messages })
  expect(messagesOf(turns, 'l1', settings.system ?? '')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
    { role: 'user', content: 'and tell' },
    { role: 'assistant', content: 'A dot.' },
    { role: 'assistant', content: 'A red one.' },
    { role: 'user', content: 'Thanks' },
  ])
  expect(turns.map(({ parent }) => parent)).toEqual([null, ...turns.slice(0, -1).map(({ id }) => id)])
})

test('a draft without a system message sends none', () => {
  expect(withDraft(aSession(), { model: '', messages: [] }).settings.system).toBe('')
})
