import { describe, expect, test } from 'bun:test'

import { aSession, aConversation, anAnswer, aTurn } from '../test/factories'
import { shownTurns, versionsOf } from './path'
import { after, nextTurn, type Action } from './reducer'
import type { Session } from './session'

const path = (session: Session) => shownTurns(session).map(({ id }) => id)
const through = (session: Session, ...actions: readonly Action[]) => actions.reduce(after, session)
const answerOf = (session: Session) => session.turns[0]?.answers['l1']

const arriving = aSession({ turns: [aTurn({ answers: { l1: anAnswer({ status: 'loading', content: '' }) } })] })
const grew = (content: string, atMs: number, reasoning = ''): Action => ({
  kind: 'answer-grew',
  answerId: 'a1',
  arrived: { content, reasoning, images: [] },
  atMs,
})

describe('a response', () => {
  test('a response goes from loading to incomplete to complete, and records when its first token came', () => {
    const first = after(arriving, grew('Hel', 120))
    expect(answerOf(first)).toMatchObject({ status: 'incomplete', content: 'Hel', firstTokenMs: 120 })
    const ended = through(first, grew('lo', 200), { kind: 'answer-ended', answerId: 'a1', ending: { tookMs: 300 } })
    expect(answerOf(ended)).toMatchObject({ status: 'complete', content: 'Hello', firstTokenMs: 120, tookMs: 300 })
  })

  test('a failed response keeps what arrived beside the reason', () => {
    const failure = { kind: 'refused', message: 'No', requestId: 'r1' } as const
    const ended = through(arriving, grew('Half', 1), {
      kind: 'answer-ended',
      answerId: 'a1',
      ending: { tookMs: 2, failure },
    })
    expect(answerOf(ended)).toMatchObject({ status: 'error', content: 'Half', failure, requestId: 'r1' })
  })

  test.each([
    ['apart', [grew('', 100, 'Hm'), grew('', 200, '…'), grew('Yes', 900)]],
    ['in tags', [grew('<thi', 50), grew('nk>Hm', 100), grew('</think>', 800), grew('Yes', 900)]],
  ])('a response that reasons %s records for how long', (_, actions) => {
    expect(answerOf(through(arriving, ...actions))).toMatchObject({ thoughtFromMs: 100, thoughtToMs: 900 })
  })

  test('a response of reasoning alone counts it until its end', () => {
    const ended = through(arriving, grew('', 100, 'Hm'), {
      kind: 'answer-ended',
      answerId: 'a1',
      ending: { tookMs: 700 },
    })
    expect(answerOf(ended)).toMatchObject({ thoughtFromMs: 100, thoughtToMs: 700 })
  })

  test('unchanged turns keep their identity', () => {
    const turns = aConversation(['t1', 'one', 'eins'], ['t2', 'two', 'zwei'])
    const next = after(aSession({ turns }), { ...grew('!', 5), answerId: 'answer-t2' } as Action)
    expect(next.turns[0]).toBe(turns[0])
    expect(next.turns[1]).not.toBe(turns[1])
  })

  test('an unknown response changes nothing', () => {
    expect(after(arriving, { ...grew('!', 5), answerId: 'gone' } as Action)).toBe(arriving)
  })
})

describe('branches', () => {
  const conversation = aSession({
    turns: aConversation(['t1', 'one', 'eins'], ['t2', 'two', 'zwei'], ['t3', 'three', 'drei']),
  })
  const edited = after(conversation, { kind: 'asked', turn: aTurn({ id: 't2b', parent: 't1', answers: {} }) })

  test('the next question follows the turns shown', () => {
    expect(nextTurn(conversation, 'new', { text: 'four', images: [] }).parent).toBe('t3')
    expect(nextTurn(edited, 'new', { text: 'four', images: [] }).parent).toBe('t2b')
  })

  test('an edited question starts a branch, and the earlier conversation can be shown again', () => {
    expect(path(edited)).toEqual(['t1', 't2b'])
    expect(path(after(edited, { kind: 'version-chosen', turnId: 't2' }))).toEqual(['t1', 't2', 't3'])
    expect(versionsOf(edited, edited.turns[3] ?? aTurn())).toEqual({ ids: ['t2', 't2b'], at: 1 })
  })

  test('a turn without question and responses is removed, and its neighbours are joined', () => {
    const noQuestion = after(conversation, { kind: 'question-deleted', turnId: 't2' })
    expect(path(noQuestion)).toEqual(['t1', 't2', 't3'])
    expect(path(after(noQuestion, { kind: 'answer-deleted', turnId: 't2', laneId: 'l1' }))).toEqual(['t1', 't3'])
  })

  test('deleting a version shows the other one', () => {
    const gone = through(
      edited,
      { kind: 'question-deleted', turnId: 't2b' },
      { kind: 'answer-deleted', turnId: 't2b', laneId: 'l1' },
    )
    expect(path(gone)).toEqual(['t1', 't2', 't3'])
  })
})

describe('lanes', () => {
  const conversation = aSession({ turns: aConversation(['t1', 'one', 'eins']) })

  test('a new lane continues the same conversation', () => {
    const added = after(conversation, { kind: 'lane-added', lane: { id: 'l2', model: 'kite-2' } })
    expect(added.turns[0]?.answers['l2']?.content).toBe('eins')
  })

  test('a removed lane takes its responses along; the last one stays', () => {
    const two = after(conversation, { kind: 'lane-added', lane: { id: 'l2', model: 'kite-2' } })
    const one = after(two, { kind: 'lane-removed', laneId: 'l1' })
    expect(one.lanes).toEqual([{ id: 'l2', model: 'kite-2' }])
    expect(Object.keys(one.turns[0]?.answers ?? {})).toEqual(['l2'])
    expect(after(one, { kind: 'lane-removed', laneId: 'l2' })).toBe(one)
  })
})
