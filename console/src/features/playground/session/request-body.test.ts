import { expect, test } from 'bun:test'

import { aSession, aConversation, anAnswer, aTurn } from '../test/factories'
import { bodyOf, parametersOf, type ContentPart } from './request-body'
import type { Turn } from './session'
import { defaultSettings } from './settings'

const defaults = { group: 'default', system: 'Be kind.' }
const messagesOf = (turns: readonly Turn[], turn?: Turn) =>
  bodyOf(aSession({ turns: [...turns] }), 'l1', turn, defaults).messages
const conversation = aConversation(['t1', 'one', 'eins'], ['t2', 'two', 'zwei'])

test('a call has the default body', () => {
  const turn = aTurn({ answers: {} })
  expect(bodyOf(aSession({ turns: [turn] }), 'l1', turn, defaults)).toEqual({
    model: 'kite-1',
    group: 'default',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'A question' },
    ],
    stream: true,
    stream_options: { include_usage: true },
  })
})

test('a question is sent with the conversation before it and without its own response', () => {
  expect(messagesOf(conversation, conversation[1]).map(({ content }) => content)).toEqual([
    'Be kind.',
    'one',
    'eins',
    'two',
  ])
  expect(messagesOf(conversation).map(({ content }) => content)).toEqual(['Be kind.', 'one', 'eins', 'two', 'zwei'])
})

test('a custom system prompt replaces the default, and an empty one sends none', () => {
  const session = (system: string) => aSession({ settings: { ...defaultSettings, system } })
  expect(bodyOf(session('Be brief.'), 'l1', undefined, defaults).messages).toEqual([
    { role: 'system', content: 'Be brief.' },
  ])
  expect(bodyOf(session(' '), 'l1', undefined, defaults).messages).toEqual([])
})

test('images are sent beside the text', () => {
  const url = 'data:image/png;base64,AA=='
  const question = (text: string) => [aTurn({ question: { text, images: [url] }, answers: {} })]
  const image: ContentPart = { type: 'image_url', image_url: { url } }
  expect(messagesOf(question('What is it?'))[1]?.content).toEqual([{ type: 'text', text: 'What is it?' }, image])
  expect(messagesOf(question(''))[1]?.content).toEqual([image])
})

test('responses are sent without reasoning; failed, pending and deleted ones are left out', () => {
  const answerMessagesOf = (fields: Parameters<typeof anAnswer>[0]) =>
    messagesOf([aTurn({ answers: { l1: anAnswer(fields) } })]).slice(2)
  expect(answerMessagesOf({ content: '<think>Hm</think>Yes', reasoning: 'Well' })).toEqual([
    { role: 'assistant', content: 'Yes' },
  ])
  expect(answerMessagesOf({ content: 'Half', isStopped: true })).toHaveLength(1)
  expect(answerMessagesOf({ content: '', status: 'error' })).toEqual([])
  expect(answerMessagesOf({ content: 'Arriv', status: 'incomplete' })).toEqual([])
  expect(messagesOf([aTurn({ question: null })])).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'An answer' },
  ])
})

test('only enabled parameters are sent', () => {
  const { parameters } = defaultSettings
  expect(parametersOf(parameters)).toEqual({})
  expect(
    parametersOf({
      ...parameters,
      temperature: { isOn: true, value: 0.3 },
      max_tokens: { isOn: false, value: 99 },
      stop: { isOn: true, value: ['END'] },
      json: { isOn: true },
    }),
  ).toEqual({ temperature: 0.3, stop: ['END'], response_format: { type: 'json_object' } })
  expect(parametersOf({ ...parameters, stop: { isOn: true, value: [] } })).toEqual({})
})
