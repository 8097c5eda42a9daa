import type { JsonObject } from '../../../core/json'
import type { MappedEvent } from '../../openai-chat/chunk-form'
import { jsonTextOf, objectOf, textOf, textOrNull, omitUndefined } from '../../../core/neutral/read'
import { codeName, errorIn } from '../../../core/shared/errors'
import { reportedFailure } from '../../../core/shared/reported-failure'

const mapDelta = (delta: JsonObject): MappedEvent => ({ chunk: { choices: [{ index: 0, delta }] } })

/** Puts the events of one answer into OpenAI's words. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message */
export class DifyEvents {
  #text = ''
  #hasAgentSpoken = false
  #isReplaced = false
  /** Steps of an agent, each told several times as it goes on. */
  readonly #steps = new Set<string>()

  map(event: JsonObject): MappedEvent | null {
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
        return this.#show(event)
      case 'message_replace':
        this.#isReplaced = true
        return this.#text === '' ? this.#appendText(event, textOf(event['answer'])) : null
      case 'message_end':
        return this.#end(event, '')
      case 'blocking':
        return this.#end(event, textOf(event['answer']))
      case 'workflow_finished':
        return this.#finish(event)
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

  /** A picture that a tool made. */
  #show(event: JsonObject): MappedEvent | null {
    const url = textOf(event['url'])
    if (url === '' || event['belongs_to'] === 'user') return null
    return this.#appendText(event, event['type'] === 'image' ? `\n![](${url})\n` : `\n[${url}](${url})\n`)
  }

  #end(event: JsonObject, content: string): MappedEvent {
    const { usage } = objectOf(event['metadata'])
    const reason = this.#isReplaced ? 'content_filter' : 'stop'
    const choices = [{ index: 0, delta: { content }, finish_reason: reason }]
    return about(event, { chunk: omitUndefined({ choices, usage: countsOf(usage) }) })
  }

  /** The end of a workflow; that of one behind a chat is the end of its message. */
  #finish(event: JsonObject): MappedEvent | null {
    const { status, error, outputs } = objectOf(event['data'])
    if (status === 'failed')
      return failure({ message: textOf(error) || 'The workflow failed', code: 'workflow_failed' })
    if (event['conversation_id'] !== undefined) return null
    return this.#end(event, this.#text === '' ? textIn(objectOf(outputs)) : '')
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

const usualOutputs = ['text', 'answer', 'output', 'result']

/** The text among the outputs: by a usual name, or the only one; else all of them as JSON. */
function textIn(outputs: JsonObject): string {
  const usual = usualOutputs.map((name) => outputs[name]).find((value) => typeof value === 'string')
  if (typeof usual === 'string') return usual
  const [only, ...more] = Object.values(outputs)
  if (only === undefined) return ''
  return typeof only === 'string' && more.length === 0 ? only : JSON.stringify(outputs)
}
