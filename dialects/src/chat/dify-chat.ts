import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { isObject, type JsonObject } from '../core/json'
import { hasObjects, reportedFailure } from '../core/shared/reported-failure'
import type { UpstreamCodec, Warn } from '../core/neutral/codec'
import { type MappedEvent, readAsNamedEvents } from './openai-chat/chunk-form'
import { jsonTextOf, objectOf, objectsOf, omitUndefined, textOf, textOrNull } from '../core/neutral/read'
import { codeName, errorIn } from '../core/shared/errors'
import type { Message, NeutralCall, Part } from '../core/neutral/call'
import { partLabel } from '../core/neutral/left-out'
import { conversationOf, defaultUser, latest, warnOfUnsaid } from '../core/shared/application-call'
import { outputText, unreadOf } from './dify-left-out'

/** The response of a blocking call as the event that says the same: a chat's ends with its usage, a workflow's with its outputs. */
const blocking = (answer: JsonObject): JsonObject =>
  isObject(answer['data'])
    ? { ...answer, event: 'workflow_finished' }
    : 'answer' in answer
      ? { ...answer, event: 'blocking' }
      : answer

/** Applications of Dify: chats, agents, completions and workflows. https://docs.dify.ai/en/api-reference */
export const difyChatCodec: UpstreamCodec = {
  writeCall,
  ...readAsNamedEvents(() => {
    const events = new DifyEvents()
    return (event) => events.map(event)
  }, blocking),
}

/** `POST /v1/chat-messages`, `/v1/completion-messages` and `/v1/workflows/run`; only upstreams speak it. */
export const difyChat: Dialect = chatDialect(
  'dify-chat',
  difyChatCodec,
  ({ events, answer, data }) => hasObjects(events) || typeof answer === 'string' || isObject(data),
)

const mapDelta = (delta: JsonObject): MappedEvent => ({ chunk: { choices: [{ index: 0, delta }] } })

/** Puts the events of one answer into OpenAI's words. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message */
class DifyEvents {
  #text = ''
  #hasAgentSpoken = false
  #isReplaced = false
  /** Steps of an agent, each told several times as it goes on. */
  readonly #steps = new Set<string>()
  /** The addresses of files that were shown. */
  readonly #files = new Set<string>()

  map(event: JsonObject): MappedEvent | null {
    const mapped = this.#map(event)
    const leftOut = mapped !== null && 'error' in mapped ? [] : unreadOf(event, this.#text)
    return leftOut.length === 0 ? mapped : { ...mapped, leftOut }
  }

  #map(event: JsonObject): MappedEvent | null {
    switch (event['event']) {
      case 'message':
        return this.#message(event)
      case 'agent_message':
        this.#hasAgentSpoken = true
        return this.#appendText(event, textOf(event['answer']))
      case 'agent_thought':
        return this.#think(event)
      case 'text_chunk':
        return this.#appendText(event, textOf(objectOf(event['data'])['text']))
      case 'message_file':
        return this.#appendText(event, this.#fileText(event))
      case 'message_replace':
        return this.#replace(event, textOf(event['answer']))
      case 'text_replace':
        return this.#replace(event, textOf(objectOf(event['data'])['text']))
      case 'message_end':
        return this.#end(event, '')
      case 'blocking':
        return this.#end(event, textOf(event['answer']))
      case 'workflow_finished':
        return this.#finish(event)
      // https://docs.dify.ai/en/api-reference/guides/human-input-flow
      case 'human_input_required':
      case 'workflow_paused':
        return failure({
          code: 'human_input_required',
          message: 'The application waits for a form to be filled in, which is not supported',
        })
      case 'error':
        return failure(event)
      default:
        return this.#other(event)
    }
  }

  /** An agent's answer comes once more as a whole behind its pieces. */
  #message(event: JsonObject): MappedEvent | null {
    const answer = textOf(event['answer'])
    return this.#hasAgentSpoken && answer === this.#text ? null : this.#appendText(event, answer)
  }

  #appendText(event: JsonObject, content: string): MappedEvent | null {
    this.#text += content
    return content === '' ? null : about(event, mapDelta({ content }))
  }

  /** The tools that an agent used and what they answered. What it says besides comes as messages. */
  #think(event: JsonObject): MappedEvent | null {
    const [id, tool, input, observation] = ['id', 'tool', 'tool_input', 'observation'].map((name) =>
      jsonTextOf(event[name]),
    )
    if (!id || !tool || !observation || this.#steps.has(id)) return null
    this.#steps.add(id)
    return about(event, mapDelta({ reasoning_content: `${tool}(${input})\n${observation}\n` }))
  }

  /** What a moderator put in place of the text. */
  #replace(event: JsonObject, text: string): MappedEvent | null {
    this.#isReplaced = true
    return this.#text === '' ? this.#appendText(event, text) : null
  }

  /** A file that a tool made, once. Those that the client named have their addresses elsewhere. */
  #fileText({ url, type, belongs_to: owner, transfer_method: method }: JsonObject): string {
    const address = textOf(url)
    if (address === '' || owner === 'user' || method === 'remote_url' || this.#files.has(address)) return ''
    this.#files.add(address)
    return type === 'image' ? `\n![](${address})\n` : `\n[${address}](${address})\n`
  }

  #end(event: JsonObject, text: string): MappedEvent {
    const { usage } = objectOf(event['metadata'])
    const reason = this.#isReplaced ? 'content_filter' : 'stop'
    const files = objectsOf(event['files'] ?? objectOf(event['data'])['files'])
    const content = [text, ...files.map((file) => this.#fileText(file))].join('')
    const choices = [{ index: 0, delta: { content }, finish_reason: reason }]
    return about(event, { chunk: omitUndefined({ choices, usage: countsOf(usage) }) })
  }

  /** The end of a workflow; that of one behind a chat is the end of its message. */
  #finish(event: JsonObject): MappedEvent | null {
    const { status, error, outputs } = objectOf(event['data'])
    if (status === 'failed')
      return failure({ message: textOf(error) || 'The workflow failed', code: 'workflow_failed' })
    if (event['conversation_id'] !== undefined) return null
    return this.#end(event, this.#text === '' ? outputText(objectOf(outputs)) : '')
  }

  /** Errors of what stands before the application; pings, and steps of workflows, say nothing. */
  #other(event: JsonObject): MappedEvent | null {
    if (event['event'] !== undefined) return null
    const error = errorIn(event) ?? reportedFailure(event, false)
    return error === null ? null : { error }
  }
}

/** The answer is called as its conversation, where it belongs to one. */
function about(event: JsonObject, reported: MappedEvent): MappedEvent {
  if ('error' in reported) return reported
  const conversation = textOrNull(event['conversation_id'])
  const id = conversation ?? textOrNull(event['message_id']) ?? textOf(event['workflow_run_id'])
  return {
    chunk: { id, created: event['created_at'], ...reported.chunk },
    ...(conversation !== null && { isConversation: true }),
  }
}

function failure({ status, message, code }: JsonObject): MappedEvent {
  const isStatus = typeof status === 'number' && status >= 400 && status < 600
  return {
    error: {
      ...(isStatus && { status }),
      message: textOf(message) || 'The application failed',
      type: '',
      code: codeName(code),
      param: null,
    },
  }
}

const countsOf = (usage: unknown): JsonObject | undefined => {
  const { prompt_tokens, completion_tokens, total_tokens } = objectOf(usage)
  return prompt_tokens === undefined ? undefined : { prompt_tokens, completion_tokens, total_tokens }
}

/**
 * A call of an application. Its own memory of the talk goes on where the client names a conversation; else the whole talk is
 * the question. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message
 */
function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsaid(call, warn)
  const members = call.own?.members ?? {}
  const conversation = conversationOf(call)
  const messages = conversation === '' ? call.messages : latest(call.messages)
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => filesOf(part)).flatMap((part) => writeFile(part, warn)),
  )
  return omitUndefined({
    inputs: isObject(members['inputs']) ? members['inputs'] : {},
    query: writeQuery(messages, warn),
    response_mode: 'streaming',
    conversation_id: conversation || undefined,
    user: call.user ?? defaultUser,
    auto_generate_name: false,
    files: files.length > 0 ? files : undefined,
  })
}

const speakers = { system: 'SYSTEM', developer: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' } as const

/** One message as it is, several under the names of their speakers. */
function writeQuery(messages: readonly Message[], warn: Warn): string {
  const reported = messages.flatMap(({ role, parts }) => {
    const text = parts
      .map((part) => textToSend(part, warn))
      .filter((one) => one !== '')
      .join('\n')
    return text === '' ? [] : [{ role, text }]
  })
  const [only, ...more] = reported
  if (only !== undefined && more.length === 0) return only.text
  return reported.map(({ role, text }) => `${speakers[role]}:\n${text}`).join('\n\n')
}

function textToSend(part: Part, warn: Warn): string {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text
  if (part.kind === 'tool-call') return `${part.name}(${part.argumentsText})`
  if (part.kind === 'tool-result') return part.parts.map((shown) => textToSend(shown, warn)).join('')
  // Files have a list of their own.
  if (part.kind === 'own') warn(partLabel(part))
  if (part.kind === 'thinking') warn('earlier thinking')
  return ''
}

const fileKinds = { image: 'image', file: 'document', audio: 'audio', video: 'video' } as const

/** A part, or those that a tool gave back. */
const filesOf = (part: Part): readonly Part[] => (part.kind === 'tool-result' ? part.parts : [part])

/** Files by their address; the vendor takes no others without a call of their own. */
function writeFile(part: Part, warn: Warn): JsonObject[] {
  if (part.kind !== 'image' && part.kind !== 'file' && part.kind !== 'audio' && part.kind !== 'video') return []
  const { source } = part
  if (source.kind === 'url') return [{ type: fileKinds[part.kind], transfer_method: 'remote_url', url: source.url }]
  warn('a file without an address')
  return []
}
