import type { JsonObject } from '../../core/json'
import type { MappedEvent } from '../openai-chat/chunk-form'
import { jsonTextOf, objectOf, parsedObject, textOf, textOrNull, written } from '../../core/neutral/read'
import { codeName, errorIn } from '../../core/shared/errors'
import { reportedFailure } from '../../core/shared/reported-failure'

/** Puts the events of one answer into OpenAI's words. https://www.coze.cn/open/docs/developer_guides/chat_v3 */
export class CozeEvents {
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
        return event['type'] === 'answer' ? this.#say(event) : null
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
  #say(event: JsonObject): MappedEvent | null {
    const id = textOf(event['id'])
    const [content, reasoning] = [textOf(event['content']), textOf(event['reasoning_content'])]
    if (content === '' && reasoning === '') return null
    const isNext = content !== '' && this.#message !== '' && this.#message !== id
    if (content !== '') {
      this.#message = id
      this.#spoken.add(id)
    }
    if (reasoning !== '') this.#thought.add(id)
    return said(event, {
      ...(content !== '' && { content: isNext ? `\n\n${content}` : content }),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
    })
  }

  #complete(event: JsonObject): MappedEvent | null {
    const { type, content } = event
    if (type === 'answer') return this.#say(this.#untold(event))
    if (type === 'function_call') {
      const { name, arguments: args } = parsedObject(textOf(content)) ?? {}
      this.#called = textOf(name) === '' ? '' : `${textOf(name)}(${jsonTextOf(args)})`
      return null
    }
    if ((type !== 'tool_response' && type !== 'tool_output') || this.#called === '') return null
    const called = this.#called
    this.#called = ''
    return said(event, { reasoning_content: `${called}\n${textOf(content)}\n` })
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

const said = (event: JsonObject, delta: JsonObject): MappedEvent => about(event, { choices: [{ index: 0, delta }] })

function end(event: JsonObject): MappedEvent {
  const { input_count: input, output_count: output, token_count: total } = objectOf(event['usage'])
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: total }
  const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }]
  return about(event, written({ choices, usage: total ? usage : undefined }))
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
