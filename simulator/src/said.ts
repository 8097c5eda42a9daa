import { anyObject, type Asked } from './asked'
import type { Behaviour } from './behaviour'
import { sampleOf, thoughtsOf, wordsOf } from './content'
import { objectOr } from './json'

export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
}

/** What the model says, in no dialect's words: thoughts, searches, a text in pieces, tool calls. */
export interface Said {
  readonly thoughts: readonly string[]
  /** The reasoning is sent encrypted only. */
  readonly isRedacted: boolean
  readonly searches: number
  readonly codeRuns: number
  readonly pieces: readonly string[]
  readonly pictures: number
  readonly toolCalls: readonly ToolCall[]
  readonly ending: SaidEnding
  readonly stopSequence: string | null
  /** All that was generated, thoughts included. */
  readonly completionTokens: number
  readonly thoughtTokens: number
}

export type SaidEnding = 'stop-sequence' | 'tools' | NonNullable<Behaviour['ending']>

/** Thoughts of a model that was asked to think. */
const usualThoughts = 4
const tokensOfCall = 10
export const tokensOfPicture = 1290
const refusal = 'I cannot help with that.'

/** Decide from the request alone what to say, the same each time and in each dialect. */
export function said(asked: Asked, behaviour: Behaviour): Said {
  const thoughts = thoughtsOf(behaviour.thinking ?? (asked.isThinking ? usualThoughts : 0))
  const toolCalls = toolCallsFor(asked, behaviour)
  const answer = toolCalls.length > 0 ? calling(toolCalls, behaviour) : speaking(asked, behaviour, thoughts.length)
  const pictures = toolCalls.length > 0 ? 0 : (behaviour.pictures ?? (asked.isDrawing ? 1 : 0))
  return {
    ...answer,
    thoughts,
    isRedacted: behaviour.redacted === true && thoughts.length > 0,
    searches: behaviour.searches ?? (asked.isSearching && toolCalls.length === 0 ? 1 : 0),
    codeRuns: behaviour.codeRuns ?? 0,
    pictures,
    toolCalls,
    completionTokens: answer.completionTokens + thoughts.length + pictures * tokensOfPicture,
    thoughtTokens: behaviour.reasoningTokens ?? thoughts.length,
  }
}

type Answer = Pick<Said, 'pieces' | 'ending' | 'stopSequence' | 'completionTokens'>

function calling(toolCalls: readonly ToolCall[], behaviour: Behaviour): Answer {
  const pieces = behaviour.toolCalls === undefined ? [] : piecesOfText(behaviour.text ?? '')
  const completionTokens = behaviour.tokens ?? toolCalls.length * tokensOfCall + pieces.length
  return { pieces, ending: behaviour.ending ?? 'tools', stopSequence: null, completionTokens }
}

function speaking(asked: Asked, behaviour: Behaviour, thoughtCount: number): Answer {
  const text = behaviour.text ?? (behaviour.ending === 'refusal' ? refusal : structuredText(asked))
  const answer =
    text === null ? generated(asked, behaviour.tokens ?? 8, thoughtCount) : spoken(piecesOfText(text), behaviour.tokens)
  const stopped = behaviour.ending ? answer : stoppedAt(answer, asked.stop)
  return { ...stopped, ending: behaviour.ending ?? stopped.ending }
}

const spoken = (pieces: readonly string[], tokens = pieces.length): Answer => ({
  pieces,
  ending: 'stop',
  stopSequence: null,
  completionTokens: tokens,
})

function generated(asked: Asked, wanted: number, thoughtCount: number): Answer {
  const left = asked.limit !== null && asked.limit > 0 ? Math.max(asked.limit - thoughtCount, 0) : Infinity
  const count = Math.min(wanted, left)
  return { ...spoken(wordsOf(count)), ending: count < wanted ? 'length' : 'stop' }
}

function stoppedAt(answer: Answer, sequences: readonly string[]): Answer {
  const text = answer.pieces.join('')
  const found = sequences
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0]
  if (!found) return answer
  const pieces = piecesOfText(text.slice(0, found.at))
  return { ...spoken(pieces), ending: 'stop-sequence', stopSequence: found.sequence }
}

const piecesOfText = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? []

function structuredText(asked: Asked): string | null {
  if (asked.schema === undefined) return null
  return asked.schema === anyObject ? '{"answer": "sample"}' : JSON.stringify(sampleOf(asked.schema))
}

function toolCallsFor(asked: Asked, behaviour: Behaviour): ToolCall[] {
  const { toolChoice } = asked
  const tools =
    typeof toolChoice === 'object' ? asked.tools.filter(({ name }) => name === toolChoice.name) : asked.tools
  if (tools.length === 0) return []
  const isSilent = asked.hasToolResults || toolChoice === 'none' || behaviour.ending !== undefined
  const usual = isSilent ? 0 : asked.isParallel ? tools.length : 1
  return Array.from({ length: behaviour.toolCalls ?? usual }, (_, index) => {
    const tool = tools[index % tools.length]
    const given = behaviour.toolArguments?.[index]
    return {
      name: tool?.name ?? 'unnamed',
      arguments: given === undefined ? objectOr(sampleOf(tool?.schema)) : given,
    }
  })
}
