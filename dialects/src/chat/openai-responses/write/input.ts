import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, ThinkingPart, ToolCallPart, ToolResultPart } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { textOf, omitUndefined } from '../../../core/neutral/read'
import type { ChatTraits } from '../../openai-chat/models'
import { writeCallId } from '../../openai-chat/short-text'
import { isCipher } from '../../vendor-objects/sealed-thoughts'
import { dialectId } from '../name'
import { freeTextNames, freeTextOf } from '../../../core/shared/free-text'
import { plain, writePart } from './parts'

/** What the first message instructs, and all others as items. */
export function writeInput({ messages, tools }: NeutralCall, traits: ChatTraits, warn: Warn): JsonObject {
  const [first, ...rest] = messages
  const instructions = first?.role === 'system' && rest.length > 0 ? instructionsOf(first) : null
  const writer = new InputWriter(traits, warn, freeTextNames(tools))
  for (const message of instructions === null ? messages : rest) writer.add(message)
  return omitUndefined({ instructions: instructions ?? undefined, input: writer.items })
}

/** Plain texts, a paragraph each; null when there is something else. */
function instructionsOf({ parts }: Message): string | null {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === parts.length && texts.length > 0 ? texts.join('\n\n') : null
}

/** What a message says in one go is one item; what it calls, thinks and answers are items of their own. */
class InputWriter {
  readonly items: JsonObject[] = []
  #content: JsonObject[] = []
  /** The calls of tools that take free text. */
  readonly #custom = new Set<string>()

  constructor(
    private readonly traits: ChatTraits,
    private readonly warn: Warn,
    /** The tools that take free text. */
    private readonly free: ReadonlySet<string>,
  ) {}

  add({ role, name, parts }: Message): void {
    if (name !== undefined) this.warn('the name of a speaker')
    for (const part of parts) {
      const item = this.#item(part)
      if (item === null) this.#content.push(...writePart(part, role, this.warn))
      else {
        this.#flush(role)
        this.items.push(...item)
      }
    }
    this.#flush(role)
  }

  #flush(role: Message['role']): void {
    if (this.#content.length > 0) this.items.push({ type: 'message', role, content: plain(this.#content) })
    this.#content = []
  }

  /** Null: belongs into a message. */
  #item(part: Part): JsonObject[] | null {
    switch (part.kind) {
      case 'thinking':
        return writeThought(part, this.traits, this.warn)
      case 'tool-call':
        if (part.isCustom || this.free.has(part.name)) this.#custom.add(part.id)
        return [writeCall(part, this.#custom.has(part.id), this.traits)]
      case 'tool-result':
        return [writeResult(part, part.isCustom || this.#custom.has(part.callId), this.warn)]
      case 'own':
        return part.dialect === dialectId && !isContent(part.value) ? [part.value] : null
      default:
        return null
    }
  }
}

/** A part that we do not know. Everything else that we do not know is an item. */
const isContent = ({ type }: JsonObject): boolean => /^(?:input|output)_/.test(textOf(type))

/** The vendor takes back only what it encrypted itself; others may read the words. */
function writeThought(part: ThinkingPart, { isOpenAi }: ChatTraits, warn: Warn): JsonObject[] {
  const { text, signature, id, isRedacted, isSummary } = part
  if (isOpenAi && !(signature !== undefined && isCipher(signature))) {
    warn(signature === undefined ? 'thinking without a signature' : 'thinking that another vendor signed')
    return []
  }
  const isRaw = signature === undefined && !isSummary
  return [
    omitUndefined({
      type: 'reasoning',
      id: id?.startsWith('rs_') ? id : undefined,
      summary: isRaw || isRedacted ? [] : [{ type: 'summary_text', text }],
      content: isRaw ? [{ type: 'reasoning_text', text }] : undefined,
      encrypted_content: signature,
    }),
  ]
}

/** The vendor checks how its ids begin. */
function writeCall(part: ToolCallPart, isCustom: boolean, { isOpenAi }: ChatTraits): JsonObject {
  const { id, itemId, name, argumentsText } = part
  const prefix = isCustom ? 'ctc' : 'fc'
  return omitUndefined({
    type: isCustom ? 'custom_tool_call' : 'function_call',
    id: !isOpenAi || itemId?.startsWith(prefix) ? itemId : undefined,
    call_id: writeCallId(id),
    name,
    ...(isCustom
      ? { input: part.isCustom ? argumentsText : freeTextOf(argumentsText) }
      : { arguments: argumentsText || '{}' }),
  })
}

function writeResult({ callId, parts, isError }: ToolResultPart, isCustom: boolean, warn: Warn): JsonObject {
  const content = parts.flatMap((part) => writePart(part, 'user', warn))
  const output = content.length === 0 ? (isError ? 'The tool failed.' : '') : plain(content)
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: writeCallId(callId),
    output,
  }
}
