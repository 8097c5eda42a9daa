import { createHash } from 'node:crypto'

import type { Message, NeutralCall, Part, Tool, ToolChoice } from '../core/neutral/call'
import type { EventReader, ToolNameRule, Warn } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'

/** OpenAI's, which most vendors share. https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools */
const usual: ToolNameRule = { maxLength: 64, allowed: /^[A-Za-z0-9_-]+$/, refused: /[^A-Za-z0-9_-]/gu }

/** Returns the call with the first tool of each name: Anthropic and Google refuse two. The same object where names are there once. */
export function withUniqueTools(call: NeutralCall, warn: Warn): NeutralCall {
  const seen = new Set<string>()
  const tools = call.tools.filter((tool) => {
    if (tool.kind !== 'function') return true
    const isFirst = !seen.has(tool.name)
    if (!isFirst) warn(`another tool ${tool.name}`)
    seen.add(tool.name)
    return isFirst
  })
  return tools.length === call.tools.length ? call : { ...call, tools }
}

/** A call whose tools have names that the upstream takes. */
export interface NamedCall {
  readonly call: NeutralCall
  /** The client's names, by those that were changed. */
  readonly originals: ReadonlyMap<string, string>
}

/**
 * Gives tools whose names the upstream would refuse shorter or cleaner ones, also in the choice of a tool and in the conversation.
 * The same name becomes the same one in every call, so that the conversation goes on and its beginning stays in the vendor's cache.
 */
export function withToolNames(call: NeutralCall, rule: ToolNameRule = usual): NamedCall {
  const names = namesIn(call)
  const refused = [...names].filter((name) => !isAllowed(name, rule))
  if (refused.length === 0) return { call, originals: new Map() }
  const changed = new Map<string, string>()
  const taken = new Set(names)
  for (const name of refused) {
    const short = shortName(name, rule, taken)
    taken.add(short)
    changed.set(name, short)
  }
  const renameTool = (name: string): string => changed.get(name) ?? name
  return {
    call: {
      ...call,
      tools: call.tools.map((tool): Tool =>
        tool.kind === 'function' ? { ...tool, name: renameTool(tool.name) } : tool,
      ),
      toolChoice: call.toolChoice && withNamedChoice(call.toolChoice, renameTool),
      messages: call.messages.map((message) => withNamedParts(message, renameTool)),
    },
    originals: new Map([...changed].map(([name, short]) => [short, name])),
  }
}

const isAllowed = (name: string, { maxLength, allowed }: ToolNameRule): boolean =>
  name === '' || (name.length <= maxLength && allowed.test(name))

function namesIn({ tools, messages, toolChoice }: NeutralCall): ReadonlySet<string> {
  const names = new Set<string>()
  for (const tool of tools) if (tool.kind === 'function') names.add(tool.name)
  for (const { parts } of messages)
    for (const part of parts) if (part.kind === 'tool-call' || part.kind === 'tool-result') names.add(part.name)
  if (toolChoice?.kind === 'tool') names.add(toolChoice.name)
  return names
}

const hashLength = 8

/** The beginning of the name and a hash of all of it. */
function shortName(name: string, { maxLength, refused }: ToolNameRule, taken: ReadonlySet<string>): string {
  const clean = name.replaceAll(refused, '_').replace(/^(?![A-Za-z_])/, '_')
  for (let turn = 0; ; turn += 1) {
    const hash = createHash('sha256')
      .update(turn === 0 ? name : `${turn} ${name}`)
      .digest('hex')
    const short = `${clean.slice(0, maxLength - hashLength - 1)}_${hash.slice(0, hashLength)}`
    if (!taken.has(short)) return short
  }
}

function withNamedChoice(choice: ToolChoice, renameTool: (name: string) => string): ToolChoice {
  if (choice.kind === 'tool') return { kind: 'tool', name: renameTool(choice.name) }
  if (choice.kind !== 'required' || !choice.among) return choice
  return { ...choice, among: choice.among.map(renameTool) }
}

const withNamedParts = (message: Message, renameTool: (name: string) => string): Message => ({
  ...message,
  parts: message.parts.map((part): Part => {
    const isNamed = part.kind === 'tool-call' || part.kind === 'tool-result'
    return isNamed ? { ...part, name: renameTool(part.name) } : part
  }),
})

type Originals = NamedCall['originals']

/** Returns the events with the client's names of its tools. */
export const withClientNames = (events: readonly AnswerEvent[], originals: Originals): readonly AnswerEvent[] =>
  originals.size === 0 ? events : events.map((event) => withClientName(event, originals))

function withClientName(event: AnswerEvent, originals: Originals): AnswerEvent {
  if (event.type !== 'block-start' || event.of.kind !== 'tool-call') return event
  const name = originals.get(event.of.name)
  return name === undefined ? event : { ...event, of: { ...event.of, name } }
}

/** Reads a stream with the client's names of its tools. */
export function readerWithNames(reader: EventReader, originals: Originals): EventReader {
  if (originals.size === 0) return reader
  return {
    read: (event) => withClientNames(reader.read(event), originals),
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => withClientNames(reader.end(), originals),
  }
}
