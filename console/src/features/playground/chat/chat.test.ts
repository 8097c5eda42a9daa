import { describe, expect, test } from 'bun:test'

import { shownTurns } from '../session/path'
import type { ChatBody } from '../session/request-body'
import type { Session } from '../session/session'
import type { CallChat, CallEvents } from '../stream/call-chat'
import { ChatError } from '../stream/post-as-user'
import { aSession } from '../test/factories'
import { Chat } from './chat'

interface RecordedCall {
  readonly body: ChatBody
  readonly events: CallEvents
  readonly signal: AbortSignal
  readonly end: () => Promise<void>
  readonly fail: (error: unknown) => Promise<void>
}

/** A chat whose calls the test answers. */
function aChat(session: Partial<Session> = {}) {
  const calls: RecordedCall[] = []
  const call: CallChat = (body, events, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      const settleWith = (settle: () => void) => async () => {
        settle()
        await settledCalls()
      }
      calls.push({
        body,
        events,
        signal,
        end: settleWith(resolve),
        fail: (error) => settleWith(() => reject(error))(),
      })
    })
  let ids = 0
  let clock = 0
  const chat = new Chat({
    session: aSession(session),
    call,
    newId: () => `id-${(ids += 1)}`,
    now: () => (clock += 10),
    defaults: () => ({ group: 'default', system: '' }),
    findLogEntry: () => Promise.resolve(undefined),
  })
  return { chat, calls, at: (index: number) => calls[index] ?? Promise.reject(new Error('no such call')) }
}

/** Runs what follows a settled call. */
async function settledCalls() {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

const piece = (content: string) => ({ content, reasoning: '', images: [] })
const questionOf = (text: string) => ({ text, images: [] })
const answers = (session: Session) =>
  shownTurns(session).map(({ answers: all }) =>
    Object.values(all).map(({ status, content }) => `${status}: ${content}`),
  )

describe('a chat', () => {
  test('a question is sent, its response grows, and the conversation continues', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    expect(answers(chat.get())).toEqual([['loading: ']])
    calls[0]?.events.onArrived(piece('Hel'))
    calls[0]?.events.onArrived(piece('lo'))
    await calls[0]?.end()
    expect(answers(chat.get())).toEqual([['complete: Hello']])
    chat.sendQuestion(questionOf('And?'))
    expect(calls[1]?.body.messages.map(({ content }) => content)).toEqual(['Hi', 'Hello', 'And?'])
  })

  test('many chunks are rendered at once', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    let draws = 0
    chat.subscribe(() => (draws += 1))
    for (let index = 0; index < 500; index += 1) calls[0]?.events.onArrived(piece('x'))
    await calls[0]?.end()
    expect(draws).toBe(2)
    expect(answers(chat.get())).toEqual([[`complete: ${'x'.repeat(500)}`]])
  })

  test('a stopped response keeps what arrived', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    calls[0]?.events.onArrived(piece('Half'))
    chat.stop()
    await settledCalls()
    const answer = Object.values(chat.get().turns[0]?.answers ?? {})[0]
    expect(answer).toMatchObject({ status: 'complete', isStopped: true, content: 'Half' })
  })

  test('all models are asked at once, and each can be stopped alone', async () => {
    const { chat, calls } = aChat()
    chat.addLane('kite-2')
    chat.sendQuestion(questionOf('Hi'))
    expect(calls.map(({ body }) => body.model)).toEqual(['kite-1', 'kite-2'])
    chat.stop('l1')
    await settledCalls()
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  test('a retry replaces a failed response', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    await calls[0]?.fail(new ChatError({ kind: 'refused', message: 'No' }))
    expect(answers(chat.get())).toEqual([['error: ']])
    chat.retry(chat.get().turns[0]?.id ?? '', 'l1')
    expect(chat.get().turns).toHaveLength(1)
    await calls[1]?.end()
    expect(answers(chat.get())).toEqual([['complete: ']])
    expect(calls[1]?.body).toEqual(calls[0]?.body ?? ({} as ChatBody))
  })

  test('a retry adds a version beside a good response', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    calls[0]?.events.onArrived(piece('One'))
    await calls[0]?.end()
    const first = chat.get().turns[0]?.id ?? ''
    chat.retry(first, 'l1')
    calls[1]?.events.onArrived(piece('Two'))
    await calls[1]?.end()
    expect(answers(chat.get())).toEqual([['complete: Two']])
    chat.dispatch({ kind: 'version-chosen', turnId: first })
    expect(answers(chat.get())).toEqual([['complete: One']])
  })

  test('an edited question replaces the old one in the conversation shown', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    await calls[0]?.end()
    chat.sendQuestion(questionOf('Next'))
    await calls[1]?.end()
    chat.sendEditedQuestion(chat.get().turns[0]?.id ?? '', questionOf('Hello'))
    expect(calls[2]?.body.messages).toEqual([{ role: 'user', content: 'Hello' }])
    expect(shownTurns(chat.get())).toHaveLength(1)
    expect(chat.get().turns).toHaveLength(3)
  })

  test('the raw data of each response is kept', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    calls[0]?.events.onDecision({ status: 200, requestId: undefined })
    calls[0]?.events.onFrame('{"a":1}')
    const id = Object.values(chat.get().turns[0]?.answers ?? {})[0]?.id ?? ''
    expect(chat.raw.of(id)).toMatchObject({ status: 200, frames: ['{"a":1}'], request: { model: 'kite-1' }, left: 0 })
    await calls[0]?.end()
  })

  test('an empty session has nothing in flight', async () => {
    const { chat, calls } = aChat()
    chat.sendQuestion(questionOf('Hi'))
    chat.clear()
    await settledCalls()
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(chat.get().turns).toEqual([])
  })
})
