import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import { isObject, type JsonObject } from '../core/json'
import type { ErrorView } from '../core/views'
import type { NeutralCall } from '../core/neutral/call'
import type { EventReader, UpstreamCodec, Warn } from '../core/neutral/codec'
import type { AnswerEvent, FinishReason } from '../core/neutral/events'
import { PlainAnswer } from '../core/neutral/plain-answer'
import { plainText, warnOfUnsupported } from '../core/neutral/plain-call'
import { clamp, numberOrNull, objectOf, objectsOf, parsedObject, textOf, omitUndefined } from '../core/neutral/read'
import { errorIn, firstText } from '../core/shared/errors'
import { reportedFailure } from '../core/shared/reported-failure'
import { readUsage } from '../core/shared/usage'
import type { ReportedUsage } from '../core/usage'

/**
 * Zhipu's third API, of the models before GLM-4: texts in turn, nothing else; the model and whether to stream stand in the
 * address. Its streams have a field `meta` in addition to `data`; the vendor's description makes one JSON text of each of their events.
 */
export const zhipuChatCodec: UpstreamCodec = { writeCall, readAnswer, createReader }

function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const { temperature, topP } = call.sampling
  warnOfUnsupported(call, ['temperature', 'topP'], warn)
  return omitUndefined({
    prompt: writePrompt(call, warn),
    temperature: clamp(temperature, 0.01, 1),
    top_p: clamp(topP, 0.01, 0.99),
    incremental: call.isStream || undefined,
  })
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** What the model says to instructions, for which it has no place but a turn of the user. */
const consent: Turn = { role: 'assistant', content: 'Okay.' }

/** User and model take turns: what one of them said in several messages becomes one. */
function writePrompt({ messages }: NeutralCall, warn: Warn): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = plainText(message, warn)
    if (content === '') continue
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else turns.push({ role, content })
    if (message.role === 'system' || message.role === 'developer') turns.push(consent)
  }
  return turns
}

function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const { data } = answer
  const plainAnswer = new PlainAnswer()
  const error = reportedFailure(answer, isObject(data)) ?? errorIn(answer)
  if (error !== null) return plainAnswer.fail(error)
  const { choices, task_id: id, usage } = objectOf(data)
  return [
    ...plainAnswer.start(textOf(id)),
    ...objectsOf(choices).flatMap((choice) => [
      ...plainAnswer.append('text', unquote(textOf(choice['content']))),
      ...plainAnswer.leaveOut(choice, knownOfChoice, 'choices'),
    ]),
    ...plainAnswer.leaveOut(objectOf(data), knownMembers, 'data'),
    ...plainAnswer.finish({ reason: 'stop', rawReason: '', usage: readCounts(usage) }),
  ]
}

const knownOfChoice: ReadonlySet<string> = new Set(['role', 'content'])
const knownMembers: ReadonlySet<string> = new Set(['request_id', 'task_id', 'task_status', 'choices', 'usage'])

/** A whole answer is the JSON text of its text. */
function unquote(content: string): string {
  try {
    const text: unknown = JSON.parse(content)
    return typeof text === 'string' ? text : content
  } catch {
    return content.replace(/^"([^]*)"$/, '$1')
  }
}

/** Counts may be texts. */
function readCounts(usage: unknown): ReportedUsage | null {
  const counts = Object.entries(objectOf(usage)).map(([name, count]) => [name, numberOrNull(Number(count))])
  return readUsage(Object.fromEntries(counts))
}

/** Events are named add, error, interrupted and finish: https://github.com/MetaGLM/zhipuai-sdk-python */
function createReader(): EventReader {
  const plainAnswer = new PlainAnswer()
  return {
    read: ({ data }) => {
      const event = plainAnswer.isOver ? null : parsedObject(data)
      return event === null ? [] : readEvent(event, plainAnswer)
    },
    end: () => plainAnswer.end(),
  }
}

function readEvent(reported: JsonObject, plainAnswer: PlainAnswer): AnswerEvent[] {
  const text = textOf(reported['data'])
  const { task_id: id, usage } = objectOf(reported['meta'])
  const startAnswer = () => [
    ...plainAnswer.start(textOf(id)),
    ...plainAnswer.leaveOut(objectOf(reported['meta']), knownMembers, 'meta'),
  ]
  const finishAnswer = (reason: FinishReason, rawReason: string) =>
    plainAnswer.finish({ reason, rawReason, usage: readCounts(usage) })
  switch (reported['event']) {
    case 'add':
      return [...startAnswer(), ...plainAnswer.append('text', text)]
    case 'finish':
      return [...startAnswer(), ...plainAnswer.append('text', text), ...finishAnswer('stop', 'finish')]
    case 'interrupted':
      return [...startAnswer(), ...finishAnswer('content-filter', 'interrupted')]
    case 'error':
      return plainAnswer.fail(failureIn(text))
    default: {
      const error = failureOf(reported)
      return error === null ? [] : plainAnswer.fail(error)
    }
  }
}

/** The data of an error is the JSON text of a failure, or a mere sentence. */
function failureIn(data: string): ErrorView {
  const reported = parsedObject(data)
  const message = (reported && firstText(reported)) || data || 'The upstream reported a failure.'
  return (reported && failureOf(reported)) ?? { message, type: '', code: '', param: null }
}

const failureOf = (reported: JsonObject): ErrorView | null => reportedFailure(reported, false) ?? errorIn(reported)

/** `POST /api/paas/v3/model-api/{model}/invoke`; only upstreams speak it. */
export const zhipuChat: Dialect = chatDialect('zhipu-chat', zhipuChatCodec, ({ data }) => isObject(data))
