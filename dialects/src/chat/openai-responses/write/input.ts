import type { JsonObject } from '../../../core/json'
import type {
  FilePart,
  Message,
  NeutralCall,
  Part,
  Source,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { omitUndefined, textOf } from '../../../core/neutral/read'
import { isMarked, writeCache } from '../../openai-chat/cache-mark'
import type { ChatTraits } from '../../openai-chat/models'
import { writeCallId } from '../../openai-chat/short-text'
import { isCipher } from '../../vendor-objects/sealed-thoughts'
import { dialectId } from '../name'
import { freeTextNames, freeTextOf } from '../../../core/shared/free-text'
import { partLabel } from '../../../core/neutral/left-out'
import { writeAnnotation } from '../citations'

/** What the first message instructs, and all others as items. */
export function writeInput({ messages, tools }: NeutralCall, traits: ChatTraits, warn: Warn): JsonObject {
  const [first, ...rest] = messages
  const instructions = first?.role === 'system' && rest.length > 0 ? instructionsOf(first, traits) : null
  const writer = new InputWriter(traits, warn, traits.takesFreeTools ? freeTextNames(tools) : noNames)
  for (const message of instructions === null ? messages : rest) writer.add(message)
  return omitUndefined({ instructions: instructions ?? undefined, input: writer.items })
}

const noNames: ReadonlySet<string> = new Set()

/** Plain texts, a paragraph each; null when there is something else, or a mark, which stands on a part of a message. */
function instructionsOf({ parts }: Message, traits: ChatTraits): string | null {
  const texts = parts.flatMap((part) =>
    part.kind === 'text' && Object.keys(writeCache(part, traits)).length === 0 ? [part.text] : [],
  )
  return texts.length === parts.length && texts.length > 0 ? texts.filter((text) => text !== '').join('\n\n') : null
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
      if (item === null) this.#content.push(...writeMarkedPart(part, role, this.traits, this.warn))
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
        if ((part.isCustom && this.traits.takesFreeTools) || this.free.has(part.name)) this.#custom.add(part.id)
        return [writeCall(part, this.#custom.has(part.id), this.traits)]
      case 'tool-result':
        return [
          writeResult(
            part,
            (part.isCustom && this.traits.takesFreeTools) || this.#custom.has(part.callId),
            this.traits,
            this.warn,
          ),
        ]
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

function writeResult(result: ToolResultPart, isCustom: boolean, traits: ChatTraits, warn: Warn): JsonObject {
  const { callId, parts, isError } = result
  const content = withMark(
    parts.flatMap((part) => writePart(part, 'user', warn)),
    writeCache(result, traits),
  )
  const output = content.length === 0 ? (isError ? 'The tool failed.' : '') : plain(content)
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: writeCallId(callId),
    output,
  }
}

/** The parts of an answer have no marks. */
const writeMarkedPart = (part: Part, role: Message['role'], traits: ChatTraits, warn: Warn): JsonObject[] =>
  withMark(writePart(part, role, warn), 'cache' in part && role !== 'assistant' ? writeCache(part, traits) : {})

function withMark(content: readonly JsonObject[], mark: JsonObject): JsonObject[] {
  const last = content.at(-1)
  return last ? [...content.slice(0, -1), { ...last, ...mark }] : []
}

/** A part of a message's content, or of what a tool answered; none where the dialect cannot say it. */
function writePart(part: Part, role: Message['role'], warn: Warn): JsonObject[] {
  const isAnswer = role === 'assistant'
  switch (part.kind) {
    case 'text': {
      if (part.text === '') return []
      if (!isAnswer) return [{ type: 'input_text', text: part.text }]
      const annotations = (part.citations ?? []).flatMap(
        (citation) => writeAnnotation(citation, part.text.length) ?? [],
      )
      return [{ type: 'output_text', text: part.text, ...(annotations.length > 0 && { annotations }) }]
    }
    case 'refusal':
      return [isAnswer ? { type: 'refusal', refusal: part.text } : { type: 'input_text', text: part.text }]
    case 'image': {
      if (isAnswer) break
      const { source, detail = 'auto' } = part
      const place = source.kind === 'id' ? { file_id: source.id } : { image_url: addressOf(source, 'image/png') }
      return [{ type: 'input_image', ...place, detail }]
    }
    case 'file':
      if (isAnswer) break
      return writeFile(part)
    case 'audio': {
      const { source } = part
      if (isAnswer || source.kind !== 'data') break
      return [{ type: 'input_audio', input_audio: { data: source.data, format: formatOf(source.mime) } }]
    }
    case 'own':
      if (part.dialect !== dialectId) break
      return [part.value]
    default:
  }
  warn(part.kind === 'own' ? partLabel(part) : `${part.kind} content of the ${role}`)
  return []
}

const formatOf = (mime: string): string => mime.replace('audio/', '').replace('mpeg', 'mp3').replace('x-wav', 'wav')

const addressOf = (source: Exclude<Source, { kind: 'id' }>, mime: string): string =>
  source.kind === 'url' ? source.url : `data:${source.mime || mime};base64,${source.data}`

/** A text is a text; everything else goes as a file. */
function writeFile({ source, name, context }: FilePart): JsonObject[] {
  if (source.kind === 'data' && source.mime.startsWith('text/')) {
    const text = Buffer.from(source.data, 'base64').toString('utf8')
    return [{ type: 'input_text', text: [name, context, text].filter(Boolean).join('\n') }]
  }
  const file =
    source.kind === 'id'
      ? { file_id: source.id }
      : source.kind === 'url'
        ? { file_url: source.url }
        : { filename: name || 'file.pdf', file_data: addressOf(source, 'application/pdf') }
  return [...(context ? [{ type: 'input_text', text: context }] : []), { type: 'input_file', ...file }]
}

/** Followers understand nothing as well as a plain text. */
function plain(content: readonly JsonObject[]): unknown {
  const [only] = content
  const isPlain = content.length === 1 && only && 'text' in only && !('annotations' in only) && !isMarked(only)
  return isPlain ? only['text'] : content
}
