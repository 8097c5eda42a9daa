import { anyObject, type GenerationRequest, type RequestedTool } from './generation-request'
import type { Behaviour } from './behaviour'
import { sampleOf, thoughtsOf, wordsOf } from './content'
import { objectOr } from './json'

export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly tool: RequestedTool | undefined
}

/** What the model says, in no dialect's words: thoughts, searches, a text in pieces, tool calls. */
export interface Generation {
  readonly thoughts: readonly string[]
  /** The reasoning is sent encrypted only. */
  readonly isRedacted: boolean
  readonly searches: number
  readonly codeRuns: number
  readonly pieces: readonly string[]
  readonly images: number
  readonly toolCalls: readonly ToolCall[]
  readonly ending: GenerationEnding
  readonly stopSequence: string | null
  /** All that was generated, thoughts included. */
  readonly completionTokens: number
  readonly thoughtTokens: number
}

export type GenerationEnding = 'stop-sequence' | 'tools' | NonNullable<Behaviour['ending']>

/** Thoughts of a model that is to think. */
const usualThoughts = 4
const tokensOfCall = 10
export const tokensOfImage = 1290
const refusal = 'I cannot help with that.'

/** Decides from the request alone what to say, the same each time and in each dialect. */
export function generationFor(request: GenerationRequest, behaviour: Behaviour): Generation {
  const thoughts = thoughtsOf(behaviour.thinking ?? (request.isThinking ? usualThoughts : 0))
  const toolCalls = toolCallsFor(request, behaviour)
  const output = toolCalls.length > 0 ? calling(toolCalls, behaviour) : speaking(request, behaviour, thoughts.length)
  const images = toolCalls.length > 0 ? 0 : (behaviour.images ?? (request.isDrawing ? 1 : 0))
  return {
    ...output,
    thoughts,
    isRedacted: behaviour.redacted === true && thoughts.length > 0,
    searches: behaviour.searches ?? (request.isSearching && toolCalls.length === 0 ? 1 : 0),
    codeRuns: behaviour.codeRuns ?? 0,
    images,
    toolCalls,
    completionTokens: output.completionTokens + thoughts.length + images * tokensOfImage,
    thoughtTokens: behaviour.reasoningTokens ?? thoughts.length,
  }
}

type Output = Pick<Generation, 'pieces' | 'ending' | 'stopSequence' | 'completionTokens'>

function calling(toolCalls: readonly ToolCall[], behaviour: Behaviour): Output {
  const pieces = behaviour.toolCalls === undefined ? [] : piecesOfText(behaviour.text ?? '')
  const completionTokens = behaviour.tokens ?? toolCalls.length * tokensOfCall + pieces.length
  return { pieces, ending: behaviour.ending ?? 'tools', stopSequence: null, completionTokens }
}

function speaking(request: GenerationRequest, behaviour: Behaviour, thoughtCount: number): Output {
  const text = behaviour.text ?? (behaviour.ending === 'refusal' ? refusal : structuredText(request))
  const output =
    text === null
      ? generateOutput(request, behaviour.tokens ?? 8, thoughtCount)
      : outputOf(piecesOfText(text), behaviour.tokens)
  const stopped = behaviour.ending ? output : stoppedAt(output, request.stop)
  return { ...stopped, ending: behaviour.ending ?? stopped.ending }
}

const outputOf = (pieces: readonly string[], tokens = pieces.length): Output => ({
  pieces,
  ending: 'stop',
  stopSequence: null,
  completionTokens: tokens,
})

function generateOutput(request: GenerationRequest, requested: number, thoughtCount: number): Output {
  const left = request.limit !== null && request.limit > 0 ? Math.max(request.limit - thoughtCount, 0) : Infinity
  const count = Math.min(requested, left)
  return { ...outputOf(wordsOf(count)), ending: count < requested ? 'length' : 'stop' }
}

function stoppedAt(output: Output, sequences: readonly string[]): Output {
  const text = output.pieces.join('')
  const found = sequences
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0]
  if (!found) return output
  const pieces = piecesOfText(text.slice(0, found.at))
  return { ...outputOf(pieces), ending: 'stop-sequence', stopSequence: found.sequence }
}

const piecesOfText = (text: string): string[] => text.match(/\s*\S+|\s+/g) ?? []

function structuredText(request: GenerationRequest): string | null {
  if (request.schema === undefined) return null
  return request.schema === anyObject ? '{"answer": "sample"}' : JSON.stringify(sampleOf(request.schema))
}

function toolCallsFor(request: GenerationRequest, behaviour: Behaviour): ToolCall[] {
  const { toolChoice } = request
  const offered =
    typeof toolChoice === 'object' ? request.tools.filter(({ name }) => name === toolChoice.name) : request.tools
  const tools = offered.filter(({ name }) => behaviour.tool?.test(name) !== false)
  if (tools.length === 0) return []
  const isSilent = request.hasToolResults || toolChoice === 'none' || behaviour.ending !== undefined
  const usual = isSilent ? 0 : request.isParallel ? tools.length : 1
  return Array.from({ length: behaviour.toolCalls ?? usual }, (_, index) => {
    const tool = tools[index % tools.length]
    const configuredArguments = behaviour.toolArguments?.[index]
    return {
      name: tool?.name ?? 'unnamed',
      arguments: configuredArguments === undefined ? objectOr(sampleOf(tool?.schema)) : configuredArguments,
      tool,
    }
  })
}
