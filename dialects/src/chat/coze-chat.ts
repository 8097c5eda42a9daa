import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { hasObjects, reportedFailure } from '../core/shared/reported-failure'
import type { UpstreamCodec, Warn } from '../core/neutral/codec'
import { readAsNamedEvents, type MappedEvent } from './openai-chat/chunk-form'
import { isObject, type JsonObject } from '../core/json'
import type { Message, NeutralCall, Part } from '../core/neutral/call'
import { partLabel, unknownMembers } from '../core/neutral/left-out'
import { omitUndefined, jsonTextOf, objectOf, parsedObject, textOf, textOrNull } from '../core/neutral/read'
import { conversationOf, defaultUser, latest, warnOfUnsaid } from '../core/shared/application-call'
import { codeName, errorIn } from '../core/shared/errors'

/** Bots of Coze; a response in one piece is an error. https://www.coze.cn/open/docs/developer_guides/chat_v3 */
export const cozeChatCodec: UpstreamCodec = {
  writeCall,
  ...readAsNamedEvents(
    () => {
      const events = new CozeEvents()
      return (event) => events.map(event)
    },
    (answer) => answer,
  ),
}

/** `POST /v3/chat`; only upstreams speak it. */
export const cozeChat: Dialect = chatDialect('coze-chat', cozeChatCodec, ({ events }) => hasObjects(events))

/**
 * A call of a bot, which is named as the model. Its memory of the talk goes on where the client names a conversation; else it is told the
 * whole talk. https://www.coze.cn/open/docs/developer_guides/chat_v3
 */
function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsaid(call, warn)
  const { custom_variables: variables, parameters } = call.own?.members ?? {}
  const conversation = conversationOf(call)
  const messages = conversation === '' ? call.messages : latest(call.messages)
  return omitUndefined({
    conversation_id: conversation || undefined,
    bot_id: call.model,
    user_id: call.user ?? defaultUser,
    stream: true,
    auto_save_history: true,
    additional_messages: messages.flatMap((message) => writeMessage(message, warn)),
    custom_variables: isObject(variables) ? variables : undefined,
    parameters: isObject(parameters) ? parameters : undefined,
  })
}

/** Instructions come as what the user said: there is no third speaker. */
function writeMessage({ role, parts }: Message, warn: Warn): JsonObject[] {
  const shown = parts.flatMap((part) => writePart(part, warn))
  if (shown.length === 0) return []
  const speaker = role === 'assistant' ? { role: 'assistant', type: 'answer' } : { role: 'user', type: 'question' }
  const isText = shown.every(({ type }) => type === 'text')
  const content = isText ? shown.map(({ text }) => text).join('\n') : JSON.stringify(shown)
  return [{ ...speaker, content_type: isText ? 'text' : 'object_string', content }]
}

const fileKinds = { image: 'image', file: 'file', audio: 'audio' } as const

function writePart(part: Part, warn: Warn): JsonObject[] {
  if (part.kind === 'text' || part.kind === 'refusal')
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.kind === 'tool-call') return [{ type: 'text', text: `${part.name}(${part.argumentsText})` }]
  if (part.kind === 'tool-result') return part.parts.flatMap((one) => writePart(one, warn))
  if (part.kind === 'image' || part.kind === 'file' || part.kind === 'audio') {
    if (part.source.kind === 'url') return [{ type: fileKinds[part.kind], file_url: part.source.url }]
    warn('a file without an address')
    return []
  }
  warn(part.kind === 'thinking' ? 'earlier thinking' : part.kind === 'own' ? partLabel(part) : 'a video')
  return []
}

/** Puts the events of one answer into OpenAI's words. https://www.coze.cn/open/docs/developer_guides/chat_v3 */
class CozeEvents {
  /** The message whose pieces came last. */
  #message = ''
  /** Messages whose text, and whose thoughts, came in pieces; they come once more as a whole behind them. */
  readonly #spoken = new Set<string>()
  readonly #thought = new Set<string>()
  /** Tools that the bot runs itself, until their results come, in this order. */
  readonly #called: string[] = []
  /** Some bots tell a result twice. */
  #lastResult = ''

  map(event: JsonObject): MappedEvent | null {
    switch (event['event']) {
      case 'conversation.message.delta':
        return event['type'] === 'answer' ? this.#appendMessage(event) : null
      case 'conversation.message.completed':
        return this.#complete(event)
      case 'conversation.chat.completed':
        return end(event, this.#called.splice(0))
      case 'conversation.chat.failed':
        return failure(objectOf(event['last_error']))
      case 'conversation.chat.canceled':
        return failure({ code: 'canceled', msg: 'The chat was canceled' })
      case 'conversation.chat.requires_action':
        return failure({
          code: 'requires_action',
          msg: 'The bot waits for a tool or a choice outside of it, which is not supported',
        })
      case 'error':
        return failure(event)
      default:
        return other(event)
    }
  }

  /** Answers that follow one another are apart. */
  #appendMessage(event: JsonObject): MappedEvent | null {
    const id = textOf(event['id'])
    const [content, reasoning] = [textOf(event['content']), textOf(event['reasoning_content'])]
    const leftOut = unknownMembers(event, messageMembers, 'message')
    if (content === '' && reasoning === '') return leftOut.length === 0 ? null : { leftOut }
    const isNext = content !== '' && this.#message !== '' && this.#message !== id
    if (content !== '') {
      this.#message = id
      this.#spoken.add(id)
    }
    if (reasoning !== '') this.#thought.add(id)
    const delta = {
      ...(content !== '' && { content: isNext ? `\n\n${content}` : content }),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
    }
    return { ...mapDelta(event, delta), leftOut }
  }

  #complete(event: JsonObject): MappedEvent | null {
    const { type, content } = event
    if (type === 'answer') return this.#appendMessage(this.#untold(event))
    if (type === 'function_call') {
      const { name, arguments: args } = parsedObject(textOf(content)) ?? {}
      if (textOf(name) === '') return unreadMessage(event)
      this.#called.push(`${textOf(name)}(${jsonTextOf(args)})\n`)
      return null
    }
    if (type !== 'tool_response' && type !== 'tool_output') return unreadMessage(event)
    const called = this.#called.shift()
    const result = textOf(content)
    if (called === undefined && result === this.#lastResult) return null
    this.#lastResult = result
    return mapDelta(event, { reasoning_content: `${called ?? ''}${result}\n` })
  }

  #untold(event: JsonObject): JsonObject {
    const id = textOf(event['id'])
    return {
      ...event,
      ...(this.#spoken.has(id) && { content: '' }),
      ...(this.#thought.has(id) && { reasoning_content: '' }),
    }
  }
}

const messageMembers: ReadonlySet<string> = new Set([
  'event',
  'id',
  'role',
  'type',
  'content',
  'content_type',
  'reasoning_content',
  'conversation_id',
  'chat_id',
  'section_id',
  'bot_id',
  'meta_data',
  'created_at',
  'updated_at',
  'from_module',
  'from_unit',
])

const maxNameLength = 64

/** A message of another kind than those that are read, by its kind. Questions repeat the call; that all answers have come says nothing. */
function unreadMessage({ type, content }: JsonObject): MappedEvent | null {
  const text = textOf(content)
  if (type === 'question' || text === '' || text === '[]' || text === '{}') return null
  const kind = textOf(type) || 'without a type'
  if (kind !== 'verbose') return { leftOut: [`the message ${kind.slice(0, maxNameLength)}`] }
  const stage = textOf(parsedObject(text)?.['msg_type']).slice(0, maxNameLength)
  return stage === 'generate_answer_finish' ? null : { leftOut: [`the message verbose ${stage}`] }
}

const mapDelta = (event: JsonObject, delta: JsonObject): MappedEvent => about(event, { choices: [{ index: 0, delta }] })

/** `called`: tools whose results did not come. */
function end(event: JsonObject, called: readonly string[]): MappedEvent {
  const { input_count: input, output_count: output, token_count: total } = objectOf(event['usage'])
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: total }
  const delta = called.length === 0 ? {} : { reasoning_content: called.join('') }
  const choices = [{ index: 0, delta, finish_reason: 'stop' }]
  return about(event, omitUndefined({ choices, usage: total ? usage : undefined }))
}

/** The answer is called as its conversation. */
function about(event: JsonObject, chunk: JsonObject): MappedEvent {
  const conversation = textOrNull(event['conversation_id'])
  return {
    chunk: { id: conversation ?? textOf(event['id']), created: event['created_at'], ...chunk },
    ...(conversation !== null && { isConversation: true }),
  }
}

/** What a chat goes through, which says nothing. */
const silentEvents: ReadonlySet<unknown> = new Set([
  'conversation.chat.created',
  'conversation.chat.in_progress',
  'done',
  'ping',
])

/** Errors that come in place of a stream, and unknown events. */
function other(event: JsonObject): MappedEvent | null {
  const name = event['event']
  if (name !== undefined)
    return silentEvents.has(name) ? null : { leftOut: [`the event ${textOf(name).slice(0, maxNameLength)}`] }
  const error = errorIn(event) ?? reportedFailure(event, false)
  return error === null ? null : { error }
}

const failure = ({ code, msg }: JsonObject): MappedEvent => ({
  error: { message: textOf(msg) || 'The bot failed', type: '', code: codeName(code), param: null },
})
