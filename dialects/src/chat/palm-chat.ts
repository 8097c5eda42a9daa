import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import type { JsonObject } from '../core/json'
import { hasObjects, reportedFailure } from '../core/shared/reported-failure'
import { readError, errorIn } from './gemini/errors'
import type { Message, NeutralCall } from '../core/neutral/call'
import type { EventReader, ServerEvent, UpstreamCodec, Warn } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { LeftOutEvents } from '../core/neutral/left-out'
import { plainText, warnOfUnsupported } from '../core/neutral/plain-call'
import { objectOf, objectsOf, parsedObject, textOf, omitUndefined } from '../core/neutral/read'

/**
 * PaLM 2's `generateMessage`: texts between two authors and nothing else; the model stands in the address.
 * https://developers.generativeai.google/api/rest/generativelanguage/models/generateMessage
 */
export const palmChatCodec: UpstreamCodec = { writeCall, readAnswer, createReader: () => new PalmReader() }

const maxCandidates = 8

function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const { temperature, topP, topK, choices } = call.sampling
  warnOfUnsupported(call, ['temperature', 'topP', 'topK', 'choices'], warn)
  if (choices > maxCandidates) warn(`more than ${maxCandidates} choices`)
  return {
    prompt: writePrompt(call.messages, warn),
    ...omitUndefined({
      temperature: temperature === null ? undefined : Math.min(temperature, 1),
      topP: topP ?? undefined,
      topK: topK ?? undefined,
      candidateCount: choices > 1 ? Math.min(choices, maxCandidates) : undefined,
    }),
  }
}

/** Instructions ground the talk, in a place before it. */
function writePrompt(messages: readonly Message[], warn: Warn): JsonObject {
  const isSpoken = ({ role }: Message) => role === 'user' || role === 'assistant'
  const context = messages.filter((message) => !isSpoken(message)).map((message) => plainText(message, warn))
  const spoken = messages.filter(isSpoken).map((message) => ({
    author: message.role === 'user' ? '0' : '1',
    content: plainText(message, warn),
  }))
  return omitUndefined({
    context: context.length > 0 ? context.join('\n\n') : undefined,
    messages: spoken.filter(({ content }) => content !== ''),
  })
}

/** The vendor reports no usage. What it kept back is not among the candidates; the reason is in the filters. */
function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const error = errorIn(answer) ?? reportedFailure(answer, 'candidates' in answer || 'filters' in answer)
  if (error !== null) return [{ type: 'failure', error }]
  const candidates = objectsOf(answer['candidates'])
  const reason = textOf(objectOf(objectsOf(answer['filters'])[0])['reason'])
  const leftOut = new LeftOutEvents()
  return [
    { type: 'answer-start', id: '', model: '', createdAt: 0 },
    ...candidates.flatMap((candidate, choice) => readCandidate(candidate, choice)),
    ...candidates.flatMap((candidate) => leftOut.members(candidate, knownOfCandidate, 'candidates')),
    ...leftOut.members(answer, knownMembers, 'message'),
    ...(candidates.length === 0 ? [choiceEnd(0, reason)] : []),
    { type: 'answer-end' },
  ]
}

/** What was said is told once more in the messages. */
const knownMembers: ReadonlySet<string> = new Set(['candidates', 'messages', 'filters'])
const knownOfCandidate: ReadonlySet<string> = new Set(['author', 'content', 'citationMetadata'])

const readCandidate = ({ content, citationMetadata }: JsonObject, choice: number): AnswerEvent[] => [
  { type: 'block-start', choice, block: 0, of: { kind: 'text' } },
  { type: 'block-delta', choice, block: 0, delta: { kind: 'text', text: textOf(content) } },
  ...objectsOf(objectOf(citationMetadata)['citationSources']).flatMap(({ uri }): AnswerEvent[] =>
    textOf(uri) === ''
      ? []
      : [{ type: 'block-delta', choice, block: 0, delta: { kind: 'citation', citation: { url: textOf(uri) } } }],
  ),
  { type: 'block-end', choice, block: 0 },
  choiceEnd(choice, ''),
]

const choiceEnd = (choice: number, rawReason: string): AnswerEvent => ({
  type: 'choice-end',
  choice,
  reason: rawReason === '' ? 'stop' : 'content-filter',
  rawReason,
  stopSequence: null,
})

/** Nothing is streamed: the whole response comes as one event. */
class PalmReader implements EventReader {
  #isOver = false

  read({ data }: ServerEvent): readonly AnswerEvent[] {
    const answer = this.#isOver ? null : parsedObject(data)
    if (answer === null) return []
    this.#isOver = true
    return readAnswer(answer)
  }

  end(): readonly AnswerEvent[] {
    return []
  }
}

/** Candidates, or why there are none. */
const isAnswer = ({ candidates, filters }: JsonObject): boolean => hasObjects(candidates) || hasObjects(filters)

/** `POST /v1beta2/models/chat-bison-001:generateMessage`; only upstreams speak it. */
export const palmChat: Dialect = { ...chatDialect('palm-chat', palmChatCodec, isAnswer), readError }
