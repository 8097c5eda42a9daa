import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { hasObjects, reportedFailure } from '../core/shared/reported-failure'
import type { UpstreamCodec, Warn } from '../core/neutral/codec'
import { readAsNamedEvents, type MappedEvent } from './openai-chat/chunk-form'
import { isObject, type JsonObject } from '../core/json'
import type { Message, NeutralCall, Part } from '../core/neutral/call'
import { partLabel } from '../core/neutral/left-out'
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
  /** A tool that the bot runs itself, until its result comes. */
  #called = ''

  map(event: JsonObject): MappedEvent | null {
    switch (event['event']) {
      case 'conversation.message.delta':
        return event['type'] === 'answer' ? this.#appendMessage(event) : null
      case 'conversation.message.completed':
        return this.#complete(event)
      case 'conversation.chat.completed':
        return end(event)
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
    if (content === '' && reasoning === '') return null
    const isNext = content !== '' && this.#message !== '' && this.#message !== id
    if (content !== '') {
      this.#message = id
      this.#spoken.add(id)
    }
    if (reasoning !== '') this.#thought.add(id)
    return mapDelta(event, {
      ...(content !== '' && { content: isNext ? `\n\n${content}` : content }),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
    })
  }

  #complete(event: JsonObject): MappedEvent | null {
    const { type, content } = event
    if (type === 'answer') return this.#appendMessage(this.#untold(event))
    if (type === 'function_call') {
      const { name, arguments: args } = parsedObject(textOf(content)) ?? {}
      this.#called = textOf(name) === '' ? '' : `${textOf(name)}(${jsonTextOf(args)})`
      return null
    }
    if ((type !== 'tool_response' && type !== 'tool_output') || this.#called === '') return null
    const called = this.#called
    this.#called = ''
    return mapDelta(event, { reasoning_content: `${called}\n${textOf(content)}\n` })
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

const mapDelta = (event: JsonObject, delta: JsonObject): MappedEvent => about(event, { choices: [{ index: 0, delta }] })

function end(event: JsonObject): MappedEvent {
  const { input_count: input, output_count: output, token_count: total } = objectOf(event['usage'])
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: total }
  const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }]
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

/** Errors that come in place of a stream; what else a chat goes through says nothing. */
function other(event: JsonObject): MappedEvent | null {
  if (event['event'] !== undefined) return null
  const error = errorIn(event) ?? reportedFailure(event, false)
  return error === null ? null : { error }
}

const failure = ({ code, msg }: JsonObject): MappedEvent => ({
  error: { message: textOf(msg) || 'The bot failed', type: '', code: codeName(code), param: null },
})
