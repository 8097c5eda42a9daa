import { shownTurns, turnsAfter } from '../session/path'
import { after, nextTurn, type Action } from '../session/reducer'
import { bodyOf, type Defaults } from '../session/request-body'
import { isArriving, maxLanes, type Answer, type Question, type Session, type Turn } from '../session/session'
import type { CallChat } from '../stream/call-chat'
import { frameBatch, runAnswer } from './run-answer'
import { createRawLog, type RawLog } from './raw-log'

/** An open session: its state, its actions, and the calls in flight. */
export interface Chat {
  readonly get: () => Session
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (action: Action) => void
  /** Sends the next question to all models. */
  readonly sendQuestion: (question: Question) => void
  /** Sends an edited question instead; the earlier conversation stays as another version. */
  readonly sendEditedQuestion: (turnId: string, question: Question) => void
  /** Regenerates a response: replaces a failed one, or adds a version. */
  readonly retry: (turnId: string, laneId: string) => void
  /** Lets a model continue from the results of its tool calls. */
  readonly sendResults: (turnId: string, laneId: string) => void
  readonly addLane: (model: string) => void
  readonly removeLane: (laneId: string) => void
  /** Stops the responses of one lane, or of all; what arrived stays. */
  readonly stop: (laneId?: string) => void
  readonly clear: () => void
  readonly raw: RawLog
}

export interface ChatOptions {
  readonly session: Session
  readonly call: CallChat
  readonly newId: () => string
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly defaults: () => Defaults
  /** Resolves with the log entry of a call; undefined where there is none. */
  readonly findLogEntry: (requestId: string) => Promise<Answer['logged']>
}

interface Run {
  readonly laneId: string
  readonly controller: AbortController
}

export function createChat({ session: initial, call, newId, now, defaults, findLogEntry }: ChatOptions): Chat {
  let session = initial
  const listeners = new Set<() => void>()
  const runs = new Map<string, Run>()
  const batch = frameBatch()
  const raw = createRawLog()

  function dispatch(action: Action) {
    const next = after(session, action)
    if (next === session) return
    session = next
    for (const listener of listeners) listener()
  }

  function answer(turnId: string, laneId: string) {
    const turn = turnOf(turnId)
    const lane = session.lanes.find(({ id }) => id === laneId)
    if (!turn || !lane) return
    const body = bodyOf(session, laneId, turn, defaults())
    const answerId = newId()
    const controller = new AbortController()
    runs.set(answerId, { laneId, controller })
    const started = blankAnswer(answerId, body)
    dispatch({ kind: 'answer-started', turnId, laneId, answer: started })
    const running = { answerId, call, body, signal: controller.signal, batch, raw, dispatch, now }
    void runAnswer(running).finally(() => {
      runs.delete(answerId)
      void lookUp(answerId)
    })
  }

  /** The call is charged before its response ends, so the log has it by now. */
  async function lookUp(answerId: string) {
    const answers = session.turns.flatMap((turn) => Object.values(turn.answers))
    const requestId = answers.find(({ id }) => id === answerId)?.requestId
    const found = requestId === undefined ? undefined : await findLogEntry(requestId)
    if (found) dispatch({ kind: 'answer-known', answerId, facts: { logged: found } })
  }

  function sendTurn(turn: Turn, laneIds: readonly string[]) {
    dispatch({ kind: 'asked', turn })
    for (const laneId of laneIds) answer(turn.id, laneId)
  }

  const turnOf = (turnId: string) => session.turns.find(({ id }) => id === turnId)
  const laneIds = () => session.lanes.map(({ id }) => id)

  function stop(laneId?: string) {
    for (const run of runs.values()) if (laneId === undefined || run.laneId === laneId) run.controller.abort()
  }

  return {
    get: () => session,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch,
    raw,
    stop,
    sendQuestion: (question) => sendTurn(nextTurn(session, newId(), question), laneIds()),
    sendEditedQuestion(turnId, question) {
      const turn = turnOf(turnId)
      if (turn) sendTurn({ id: newId(), parent: turn.parent, question, answers: {} }, laneIds())
    },
    retry(turnId, laneId) {
      const turn = turnOf(turnId)
      if (!turn) return
      if (isReplaceable(session, turn, laneId)) answer(turnId, laneId)
      else sendTurn(versionWithout(turn, laneId, newId), [laneId])
    },
    sendResults(turnId, laneId) {
      const shown = shownTurns(session)
      const next = shown[shown.findIndex(({ id }) => id === turnId) + 1]
      // Another lane continued from its own results: the responses are side by side.
      if (next?.question === null && !next.answers[laneId]) answer(next.id, laneId)
      else sendTurn({ id: newId(), parent: turnId, question: null, answers: {} }, [laneId])
    },
    addLane(model) {
      if (session.lanes.length < maxLanes) dispatch({ kind: 'lane-added', lane: { id: newId(), model } })
    },
    removeLane(laneId) {
      stop(laneId)
      dispatch({ kind: 'lane-removed', laneId })
    },
    clear() {
      stop()
      dispatch({ kind: 'cleared' })
    },
  }
}

const blankAnswer = (id: string, { model, group }: { readonly model: string; readonly group: string }): Answer => ({
  id,
  model,
  group,
  status: 'loading',
  isStopped: false,
  content: '',
  reasoning: '',
  images: [],
})

/** Replacing loses nothing: there is no response, or it failed and no turn follows it. */
function isReplaceable(session: Session, turn: Turn, laneId: string): boolean {
  const answer = turn.answers[laneId]
  if (!answer) return true
  return answer.status === 'error' && turnsAfter(session, turn.id).length === 0
}

/** Returns a copy of the turn with the other lanes' responses and without this one's. */
function versionWithout(turn: Turn, laneId: string, newId: () => string): Turn {
  const otherAnswers = Object.entries(turn.answers).filter(([lane, answer]) => lane !== laneId && !isArriving(answer))
  return {
    ...turn,
    id: newId(),
    answers: Object.fromEntries(otherAnswers.map(([lane, answer]) => [lane, { ...answer, id: newId() }])),
  }
}
