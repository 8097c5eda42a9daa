import * as z from 'zod'

import { Parameters, Settings } from './settings'

/** A chat as stored: its turns form a tree, because an edited question starts a branch. */

const Usage = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number(),
  reasoningTokens: z.number(),
})
export type Usage = z.output<typeof Usage>

/** Why a response is incomplete. The server's words are kept, other reasons are translated. */
const Failure = z.object({
  kind: z.enum(['refused', 'network', 'broken-off', 'malformed', 'signed-out']),
  message: z.string().optional(),
  status: z.number().optional(),
  code: z.string().optional(),
  requestId: z.string().optional(),
})
export type Failure = z.output<typeof Failure>

const ToolCall = z.object({
  /** The model's index of the call. */
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
  /** The specification's states: waiting, arriving, complete, failed. */
  status: z.enum(['loading', 'incomplete', 'complete', 'error']),
  /** Stopped by the reader. */
  isStopped: z.boolean().default(false),
  /** As received; reasoning between tags is still in it. */
  content: z.string(),
  /** Reasoning that arrived separately from the content. */
  reasoning: z.string(),
  images: z.array(z.string()),
  /** Tool calls of the model. */
  toolCalls: z.array(ToolCall).optional(),
  finishReason: z.string().optional(),
  usage: Usage.optional(),
  requestId: z.string().optional(),
  /** The call in the log: its row, and its charge. */
  logged: z.object({ id: z.number(), quota: z.number() }).optional(),
  failure: Failure.optional(),
  /** Milliseconds since the request was sent. */
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
  /** The previous turn; null at the beginning. */
  parent: z.string().nullable(),
  /** Null when deleted. */
  question: Question.nullable(),
  /** By lane. */
  answers: z.record(z.string(), Answer),
})
export type Turn = z.output<typeof Turn>

const Lane = z.object({
  id: z.string(),
  model: z.string(),
  /** Override those of the session. */
  parameters: Parameters.optional(),
})
/** One of the models that respond side by side. */
export type Lane = z.output<typeof Lane>

export const Session = z.object({
  id: z.string(),
  userId: z.number(),
  /** Chosen by the reader; by default the first question is used. */
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  settings: Settings,
  lanes: z.array(Lane).min(1),
  turns: z.array(Turn),
  /** By turn (or '' for the beginning): which of the next turns is shown. */
  chosen: z.record(z.string(), z.string()),
})
export type Session = z.output<typeof Session>

export const maxLanes = 4

/** Returns lanes for the models. */
export const lanesOf = (models: readonly string[], newId: () => string): Lane[] =>
  models.slice(0, maxLanes).map((model) => ({ id: newId(), model }))

/** Returns the name of a session in the list; empty while it has no question. */
export function nameOf({ title, turns }: Pick<Session, 'title' | 'turns'>): string {
  if (title) return title
  const first = turns.find(({ question }) => question?.text)?.question?.text ?? ''
  return first.trim().split('\n', 1)[0]?.slice(0, maxNameLength) ?? ''
}

const maxNameLength = 80

/** Whether a response is arriving. */
export const isArriving = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 'loading' || status === 'incomplete'

/** Whether a response is arriving, in one lane or in any. */
export const hasArriving = ({ turns }: Pick<Session, 'turns'>, laneId?: string): boolean =>
  turns.some(({ answers }) =>
    Object.entries(answers).some(([lane, answer]) => (laneId === undefined || lane === laneId) && isArriving(answer)),
  )
