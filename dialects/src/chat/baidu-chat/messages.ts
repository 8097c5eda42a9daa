import type { JsonObject } from '../../core/json'
import type { Message, NeutralCall, Part, ToolResultPart } from '../../core/neutral/call'
import type { Warn } from '../../core/neutral/codec'
import { plainText } from '../../core/neutral/plain-call'
import { textOf } from '../../core/neutral/read'

interface Conversation {
  readonly messages: readonly JsonObject[]
  /** The operator's instructions, which have a member of their own. */
  readonly system: string
}

/**
 * User and model take turns, the user first; a tool is called and answered in turns of its own.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
export function writeConversation({ messages }: Pick<NeutralCall, 'messages'>, warn: Warn): Conversation {
  const results = new Map(messages.flatMap(({ parts }) => parts.filter(isResult).map((part) => [part.callId, part])))
  const called = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []))),
  )
  if ([...results.keys()].some((id) => !called.has(id))) warn('the result of a tool that was not called')
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'
  return {
    system: messages
      .filter(isInstruction)
      .map((message) => plainText(message, warn))
      .join('\n\n'),
    messages: mergeTurns(
      messages.filter((message) => !isInstruction(message)).flatMap((message) => turnsOf(message, results, warn)),
    ),
  }
}

const isResult = (part: Part): part is ToolResultPart => part.kind === 'tool-result'

type Results = ReadonlyMap<string, ToolResultPart>

/** The model calls one tool at a time: several calls become several turns, each with its result. */
function turnsOf({ role, parts }: Message, results: Results, warn: Warn): JsonObject[] {
  const content = plainText({ parts: parts.filter((part) => part.kind !== 'tool-call' && !isResult(part)) }, warn)
  if (role === 'user') return content === '' ? [] : [{ role, content }]
  const calls = parts.flatMap((part) => (part.kind === 'tool-call' ? [part] : []))
  if (calls.length === 0) return content === '' ? [] : [{ role: 'assistant', content }]
  return calls.flatMap(({ id, name, argumentsText }, index) => {
    const called = {
      role: 'assistant',
      content: index === 0 ? content : '',
      function_call: { name, arguments: argumentsText || '{}' },
    }
    const result = results.get(id)
    return result === undefined ? [called] : [called, { role: 'function', name, content: resultText(result, warn) }]
  })
}

/** What is empty is refused. */
const resultText = ({ parts, isError }: ToolResultPart, warn: Warn): string =>
  plainText({ parts }, warn) || (isError ? 'The tool failed.' : 'Done.')

/** Texts of one speaker in a row become one, since turns must alternate. */
function mergeTurns(turns: readonly JsonObject[]): JsonObject[] {
  const all: JsonObject[] = []
  for (const turn of turns) {
    const last = all.at(-1)
    if (last && last['role'] === turn['role'] && isText(last) && isText(turn))
      all[all.length - 1] = { ...last, content: `${textOf(last['content'])}\n\n${textOf(turn['content'])}` }
    else all.push(turn)
  }
  return all
}

const isText = (turn: JsonObject): boolean => turn['role'] !== 'function' && !('function_call' in turn)
