import { shownTurns, turnsAfter } from '../session/path'
import { after, nextTurn, type Action } from '../session/reducer'
import { bodyOf, type Defaults } from '../session/request-body'
import { isArriving, maxLanes, type Answer, type Question, type Session, type Turn } from '../session/session'
import type { CallChat } from '../stream/call-chat'
import { FrameBatch, runAnswer } from './run-answer'
import { RawLog } from './raw-log'

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

/** An open session: its state, its actions, and the calls in flight. */
export class Chat {
  readonly raw = new RawLog()
  readonly #options: ChatOptions
  readonly #listeners = new Set<() => void>()
  readonly #runs = new Map<string, Run>()
  readonly #batch = new FrameBatch()
  #session: Session

  constructor(options: ChatOptions) {
    this.#options = options
    this.#session = options.session
  }

  get(): Session {
    return this.#session
  }

  /** Bound: React takes it as a function, and subscribes again when it is another. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dispatch(action: Action): void {
    const next = after(this.#session, action)
    if (next === this.#session) return
    this.#session = next
    for (const listener of this.#listeners) listener()
  }

  /** Sends the next question to all models. */
  sendQuestion(question: Question): void {
    this.#sendTurn(nextTurn(this.#session, this.#options.newId(), question), this.#laneIds())
  }

  /** Sends an edited question instead; the earlier conversation stays as another version. */
  sendEditedQuestion(turnId: string, question: Question): void {
    const turn = this.#turnOf(turnId)
    if (!turn) return
    this.#sendTurn({ id: this.#options.newId(), parent: turn.parent, question, answers: {} }, this.#laneIds())
  }

  /** Regenerates a response: replaces a failed one, or adds a version. */
  retry(turnId: string, laneId: string): void {
    const turn = this.#turnOf(turnId)
    if (!turn) return
    if (isReplaceable(this.#session, turn, laneId)) this.#answer(turnId, laneId)
    else this.#sendTurn(versionWithout(turn, laneId, this.#options.newId), [laneId])
  }

  /** Lets a model continue from the results of its tool calls. */
  sendResults(turnId: string, laneId: string): void {
    const shown = shownTurns(this.#session)
    const next = shown[shown.findIndex(({ id }) => id === turnId) + 1]
    // Another lane continued from its own results: the responses are side by side.
    if (next?.question === null && !next.answers[laneId]) this.#answer(next.id, laneId)
    else this.#sendTurn({ id: this.#options.newId(), parent: turnId, question: null, answers: {} }, [laneId])
  }

  addLane(model: string): void {
    if (this.#session.lanes.length >= maxLanes) return
    this.dispatch({ kind: 'lane-added', lane: { id: this.#options.newId(), model } })
  }

  removeLane(laneId: string): void {
    this.stop(laneId)
    this.dispatch({ kind: 'lane-removed', laneId })
  }

  /** Stops the responses of one lane, or of all; what arrived stays. */
  stop(laneId?: string): void {
    for (const run of this.#runs.values()) if (laneId === undefined || run.laneId === laneId) run.controller.abort()
  }

  clear(): void {
    this.stop()
    this.dispatch({ kind: 'cleared' })
  }

  #sendTurn(turn: Turn, laneIds: readonly string[]): void {
    this.dispatch({ kind: 'asked', turn })
    for (const laneId of laneIds) this.#answer(turn.id, laneId)
  }

  #answer(turnId: string, laneId: string): void {
    const turn = this.#turnOf(turnId)
    const lane = this.#session.lanes.find(({ id }) => id === laneId)
    if (!turn || !lane) return
    const { call, newId, now, defaults } = this.#options
    const body = bodyOf(this.#session, laneId, turn, defaults())
    const answerId = newId()
    const controller = new AbortController()
    this.#runs.set(answerId, { laneId, controller })
    this.dispatch({ kind: 'answer-started', turnId, laneId, answer: blankAnswer(answerId, body) })
    void runAnswer({
      answerId,
      call,
      body,
      signal: controller.signal,
      batch: this.#batch,
      raw: this.raw,
      dispatch: (action) => this.dispatch(action),
      now,
    }).finally(() => {
      this.#runs.delete(answerId)
      void this.#lookUp(answerId)
    })
  }

  /** The call is charged before its response ends, so the log has it by now. */
  async #lookUp(answerId: string): Promise<void> {
    const answers = this.#session.turns.flatMap((turn) => Object.values(turn.answers))
    const requestId = answers.find(({ id }) => id === answerId)?.requestId
    const found = requestId === undefined ? undefined : await this.#options.findLogEntry(requestId)
    if (found) this.dispatch({ kind: 'answer-known', answerId, facts: { logged: found } })
  }

  #turnOf(turnId: string): Turn | undefined {
    return this.#session.turns.find(({ id }) => id === turnId)
  }

  #laneIds(): readonly string[] {
    return this.#session.lanes.map(({ id }) => id)
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
