import * as z from 'zod'

import { Parameters, Settings } from './settings'

/** A chat as it is kept: its turns form a tree, because an edited question starts a branch of its own. */

const Usage = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number(),
  reasoningTokens: z.number(),
})
export type Usage = z.output<typeof Usage>

/** Why there is no whole answer. What the server said comes in its own words, the rest in the reader's language. */
const Failure = z.object({
  kind: z.enum(['refused', 'network', 'broken-off', 'malformed', 'signed-out']),
  message: z.string().optional(),
  status: z.number().optional(),
  code: z.string().optional(),
  requestId: z.string().optional(),
})
export type Failure = z.output<typeof Failure>

const ToolCall = z.object({
  /** Its place in the answer, as the model counts. */
  index: z.number(),
  id: z.string(),
  name: z.string(),
  /** JSON text as the model wrote it. */
  input: z.string(),
  /** As the reader typed it; absent until then. */
  result: z.string().optional(),
})
export type ToolCall = z.output<typeof ToolCall>

const Answer = z.object({
  id: z.string(),
  model: z.string(),
  group: z.string(),
  /** As the specification names them: waiting, arriving, all there, failed. */
  status: z.enum(['loading', 'incomplete', 'complete', 'error']),
  /** The reader had enough. */
  isStopped: z.boolean().default(false),
  /** As it arrived; thinking between tags is still in it. */
  content: z.string(),
  /** Thinking that arrived apart from the content. */
  reasoning: z.string(),
  images: z.array(z.string()),
  /** What the model asks the caller to do. */
  toolCalls: z.array(ToolCall).optional(),
  finishReason: z.string().optional(),
  usage: Usage.optional(),
  requestId: z.string().optional(),
  /** What the log says of the call: its row, and what it was charged. */
  logged: z.object({ id: z.number(), quota: z.number() }).optional(),
  failure: Failure.optional(),
  /** Milliseconds since the call went out. */
  firstTokenMs: z.number().optional(),
  thoughtFromMs: z.number().optional(),
  thoughtToMs: z.number().optional(),
  tookMs: z.number().optional(),
})
export type Answer = z.output<typeof Answer>

const Question = z.object({ text: z.string(), images: z.array(z.string()) })
export type Question = z.output<typeof Question>

const Turn = z.object({
  id: z.string(),
  /** The turn before; null at the beginning. */
  parent: z.string().nullable(),
  /** Null where it was deleted. */
  question: Question.nullable(),
  /** By lane. */
  answers: z.record(z.string(), Answer),
})
export type Turn = z.output<typeof Turn>

const Lane = z.object({
  id: z.string(),
  model: z.string(),
  /** In place of those of the session. */
  parameters: Parameters.optional(),
})
/** One of the models that answer side by side. */
export type Lane = z.output<typeof Lane>

export const Session = z.object({
  id: z.string(),
  userId: z.number(),
  /** Given by the reader; else the first question stands for it. */
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  settings: Settings,
  lanes: z.array(Lane).min(1),
  turns: z.array(Turn),
  /** Turn (or '' for the beginning) -> which of the turns after it is shown. */
  chosen: z.record(z.string(), z.string()),
})
export type Session = z.output<typeof Session>

export const mostLanes = 4

/** The models of a session, a lane each. */
export const lanesOf = (models: readonly string[], newId: () => string): Lane[] =>
  models.slice(0, mostLanes).map((model) => ({ id: newId(), model }))

/** What a session is called in the list; empty as long as nothing was asked. */
export function nameOf({ title, turns }: Pick<Session, 'title' | 'turns'>): string {
  if (title) return title
  const first = turns.find(({ question }) => question?.text)?.question?.text ?? ''
  return first.trim().split('\n', 1)[0]?.slice(0, longestName) ?? ''
}

const longestName = 80

/** As long as an answer arrives. */
export const isArriving = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 'loading' || status === 'incomplete'

/** Whether an answer is on its way, in a lane or at all. */
export const hasArriving = ({ turns }: Pick<Session, 'turns'>, laneId?: string): boolean =>
  turns.some(({ answers }) =>
    Object.entries(answers).some(([lane, answer]) => (laneId === undefined || lane === laneId) && isArriving(answer)),
  )
