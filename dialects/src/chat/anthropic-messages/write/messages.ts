import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { textOf, omitUndefined } from '../../../core/neutral/read'
import { claudeTraits } from '../models'
import { dialectId } from '../name'
import { writeBlock } from './blocks'

interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: JsonObject[]
}

const filler = '...'

/**
 * The instructions and the turns. Turns alternate and begin with the user, results of tools come first in theirs, and
 * nothing is blank: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 * Since 4.6 they end with the user: https://platform.claude.com/docs/en/about-claude/models/migration-guide
 * Only this dialect's own clients may instruct in mid-talk, for only newer models take that; from others it goes to the top.
 */
export function writeMessages(call: NeutralCall, instructions: readonly string[], warn: Warn): JsonObject {
  const system: JsonObject[] = []
  const turns: Turn[] = []
  for (const message of call.messages) {
    const role = roleOf(message, turns.length > 0 && call.own?.dialect === dialectId)
    if (message.name !== undefined) warn('the name of a speaker')
    const blocks = message.parts.flatMap((part) => writeBlock(part, message.role, warn))
    if (role === null) system.push(...blocks)
    else addTurn(turns, { role, content: blocks })
  }
  system.push(...instructions.map((text) => ({ type: 'text', text })))
  if (turns.at(-1)?.role === 'assistant' && claudeTraits(call.model).refusesPrefill) {
    warn('that the model goes on with the last answer')
    turns.push({ role: 'user', content: [{ type: 'text', text: filler }] })
  }
  return omitUndefined({ system: system.length > 0 ? system : undefined, messages: finishTurns(turns) })
}

/** Null: to the top. */
function roleOf({ role }: Message, mayInstruct: boolean): Turn['role'] | null {
  if (role === 'user' || role === 'assistant') return role
  return mayInstruct ? 'system' : null
}

function addTurn(turns: Turn[], { role, content }: Turn): void {
  if (content.length === 0) return
  const last = turns.at(-1)
  if (last?.role === role) last.content.push(...content)
  else turns.push({ role, content: [...content] })
}

function finishTurns(turns: readonly Turn[]): JsonObject[] {
  const opening: readonly Turn[] =
    turns[0]?.role === 'user' ? [] : [{ role: 'user', content: [{ type: 'text', text: filler }] }]
  const all = [...opening, ...turns]
  return all.map(({ role, content }, index) => ({
    role,
    content: role === 'user' ? resultsFirst(content) : index === all.length - 1 ? trimLastText(content) : content,
  }))
}

const isResult = ({ type }: JsonObject): boolean => type === 'tool_result'

function resultsFirst(content: readonly JsonObject[]): readonly JsonObject[] {
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))]
}

/** An answer that is begun for the model may not end with white space. */
function trimLastText(content: readonly JsonObject[]): readonly JsonObject[] {
  const last = content.at(-1)
  if (last?.['type'] !== 'text') return content
  return [...content.slice(0, -1), { ...last, text: textOf(last['text']).trimEnd() }]
}
