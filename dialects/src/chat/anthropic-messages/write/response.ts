import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { objectOf, parsedObject, textOf } from '../../../core/neutral/read'
import { usageBody } from '../usage'
import { MessageEventWriter } from './events'

/** A stream of a message. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new MessageEventWriter(answering)
  return { write: (events) => writer.take(events) }
}

export const eventText = (event: JsonObject): string =>
  `event: ${textOf(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`

/** A whole message: what its stream adds up to. After a failure, the error. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new MessageEventWriter(answering)
  const message = new WholeMessage()
  for (const event of writer.take(events)) message.take(event)
  return message.value['type'] === 'message' ? { ...message.value, usage: usageBody(writer.usage) } : message.value
}

class WholeMessage {
  value: JsonObject = {}
  readonly #blocks: JsonObject[] = []
  #json = ''

  take(event: JsonObject): void {
    switch (event['type']) {
      case 'message_start':
        this.value = { ...objectOf(event['message']), content: this.#blocks }
        return
      case 'content_block_start':
        this.#json = ''
        this.#blocks.push({ ...objectOf(event['content_block']) })
        return
      case 'content_block_delta':
        return this.#delta(objectOf(event['delta']))
      case 'content_block_stop':
        return this.#stop()
      case 'message_delta':
        this.value = { ...this.value, ...objectOf(event['delta']) }
        return
      case 'error':
        this.value = event
    }
  }

  #delta(delta: JsonObject): void {
    const block = this.#blocks.at(-1)
    if (block === undefined) return
    switch (delta['type']) {
      case 'text_delta':
        block['text'] = textOf(block['text']) + textOf(delta['text'])
        return
      case 'thinking_delta':
        block['thinking'] = textOf(block['thinking']) + textOf(delta['thinking'])
        return
      case 'signature_delta':
        block['signature'] = delta['signature']
        return
      case 'citations_delta': {
        const before: unknown = block['citations']
        if (Array.isArray(before)) before.push(delta['citation'])
        else block['citations'] = [delta['citation']]
        return
      }
      case 'input_json_delta':
        this.#json += textOf(delta['partial_json'])
    }
  }

  /** Arguments that are broken stay readable, in the one place that an object leaves for them. */
  #stop(): void {
    const block = this.#blocks.at(-1)
    if (block === undefined || this.#json === '') return
    block['input'] = parsedObject(this.#json) ?? { input: this.#json }
    this.#json = ''
  }
}
