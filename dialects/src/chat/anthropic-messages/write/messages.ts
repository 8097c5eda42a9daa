import type { JsonObject } from '../../../core/json'
import type {
  FilePart,
  ImagePart,
  Message,
  NeutralCall,
  Part,
  Source,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { omitUndefined, nestedObject, textOf } from '../../../core/neutral/read'
import { claudeTraits } from '../models'
import { dialectId } from '../name'
import { partLabel } from '../../../core/neutral/left-out'
import { isCipher } from '../../vendor-objects/sealed-thoughts'
import { writeCache } from '../cache'
import { writeOwnCitations } from '../citations'
import { writeToolId } from '../tool-ids'
import { calledNames, type CalledName } from '../toolsets'

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
  const nameOf = calledNames(call.tools)
  for (const message of call.messages) {
    const role = roleOf(message, turns.length > 0 && call.own?.dialect === dialectId)
    const blocks = message.parts.flatMap((part) =>
      part.kind === 'tool-call' ? [writeCall(part, nameOf(part.name), warn)] : writeBlock(part, message.role, warn),
    )
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

/** What a part becomes: one block, or none where the dialect cannot say it. */
function writeBlock(part: Part, role: Message['role'], warn: Warn): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return writeText(part)
    case 'refusal':
      return writeText({ kind: 'text', text: part.text })
    case 'thinking':
      return role === 'assistant' ? writeThought(part, warn) : []
    case 'tool-result':
      return [writeResult(part, warn)]
    case 'image':
    case 'file':
      return role === 'user' ? writeSeen(part, warn) : dropPart(`${part.kind} of the ${role}`, warn)
    case 'own':
      return part.dialect === dialectId ? [part.value] : dropPart(partLabel(part), warn)
    default:
      return dropPart(part.kind, warn)
  }
}

function dropPart(what: string, warn: Warn): JsonObject[] {
  warn(what)
  return []
}

/** Blank texts are refused. */
const writeText = ({ text, citations, ...marked }: TextPart): JsonObject[] =>
  text.trim() === '' ? [] : [{ type: 'text', text, ...writeOwnCitations(citations), ...writeCache(marked) }]

/** The vendor takes back only what it signed. */
function writeThought(part: Extract<Part, { kind: 'thinking' }>, warn: Warn): JsonObject[] {
  const { signature } = part
  if (signature === undefined || signature === '') return dropPart('thinking without a signature', warn)
  if (isCipher(signature)) return dropPart('thinking that another vendor signed', warn)
  return part.isRedacted
    ? [{ type: 'redacted_thinking', data: signature }]
    : [{ type: 'thinking', thinking: part.text, signature }]
}

function writeCall(part: ToolCallPart, name: CalledName, warn: Warn): JsonObject {
  const input = part.isCustom ? { input: part.argumentsText } : nestedObject(part.argumentsText || '{}')
  if (input === null) warn('arguments of a call that are no JSON object')
  return { type: 'tool_use', id: writeToolId(part.id), ...name, input: input ?? {}, ...writeCache(part) }
}

function writeResult(part: ToolResultPart, warn: Warn): JsonObject {
  const content = part.parts.flatMap((shown) => writeBlock(shown, 'user', warn))
  return omitUndefined({
    type: 'tool_result',
    tool_use_id: writeToolId(part.callId),
    content: content.length > 0 ? content : undefined,
    is_error: part.isError ? true : undefined,
    ...writeCache(part),
  })
}

const imageKinds: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** A picture or a document, by what it holds rather than by what it was called. */
function writeSeen(part: ImagePart | FilePart, warn: Warn): JsonObject[] {
  const { source } = part
  const mime = mimeOf(source)
  const isImage = mime === '' ? part.kind === 'image' : mime.startsWith('image/')
  const written = isImage ? imageSource(source, mime) : documentSource(source, mime)
  if (written === null) return dropPart(`${part.kind} ${mime || 'of another vendor'}`.trim(), warn)
  if (isImage) return [{ type: 'image', source: written, ...writeCache(part) }]
  return [
    { type: 'document', source: written, ...(part.kind === 'file' && writeDescription(part)), ...writeCache(part) },
  ]
}

function mimeOf(source: Source): string {
  if (source.kind === 'id') return ''
  const mime = (source.mime ?? '').toLowerCase()
  return mime === 'image/jpg' ? 'image/jpeg' : mime
}

function imageSource(source: Source, mime: string): JsonObject | null {
  if (source.kind === 'data')
    return imageKinds.has(mime) ? { type: 'base64', media_type: mime, data: source.data } : null
  return writeReference(source)
}

function documentSource(source: Source, mime: string): JsonObject | null {
  if (source.kind !== 'data') return writeReference(source)
  if (mime === 'application/pdf') return { type: 'base64', media_type: mime, data: source.data }
  if (!isText(mime)) return null
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString('utf8') }
}

const isText = (mime: string): boolean => /^text\/|^application\/(?:json|xml|yaml|x-yaml|javascript|toml)\b/.test(mime)

/** A file of the vendor's is named `file_…`; another vendor's is unknown to it. */
function writeReference(source: Exclude<Source, { kind: 'data' }>): JsonObject | null {
  if (source.kind === 'url') return { type: 'url', url: source.url }
  return source.id.startsWith('file_') ? { type: 'file', file_id: source.id } : null
}

const writeDescription = ({ name, context, citations }: FilePart): JsonObject =>
  omitUndefined({ title: name || undefined, context, citations: citations ? { enabled: true } : undefined })
