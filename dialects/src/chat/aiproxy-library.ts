import type { Dialect } from '../core/dialect'
import { chatDialect } from '../core/dialect-from-codec'
import type { ErrorView } from '../core/views'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { EventReader, UpstreamCodec, Warn } from '../core/neutral/codec'
import type { AnswerEvent } from '../core/neutral/events'
import { PlainAnswer } from '../core/neutral/plain-answer'
import { plainText, warnOfUnsupported } from '../core/neutral/plain-call'
import { objectsOf, parsedObject, textOf, omitUndefined } from '../core/neutral/read'
import { errorIn } from '../core/shared/errors'
import { reportedFailure } from '../core/shared/reported-failure'

/**
 * A question to a library of AI Proxy: one text without a conversation, answered with the documents that the answer is made from.
 * Which library stands in the channel. Tells no usage.
 */
export const aiProxyLibraryCodec: UpstreamCodec = { writeCall, readAnswer, createReader }

function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsupported(call, [], warn)
  const question = call.messages.findLast(({ role }) => role === 'user')
  if (call.messages.length > 1) warn('messages before the last one')
  return omitUndefined({
    model: call.model,
    query: question === undefined ? '' : plainText(question, warn),
    stream: call.isStream || undefined,
  })
}

function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const plainAnswer = new PlainAnswer()
  const error = failureIn(answer)
  if (error !== null) return plainAnswer.fail(error)
  return [
    ...plainAnswer.start(),
    ...plainAnswer.append('text', textOf(answer['answer'])),
    ...plainAnswer.leaveOut(answer, knownMembers, 'message'),
    ...finishAnswer(answer, plainAnswer),
  ]
}

/** The last piece of a stream says so, and holds the documents. */
function createReader(): EventReader {
  const plainAnswer = new PlainAnswer()
  return {
    read: ({ data }) => {
      const piece = plainAnswer.isOver ? null : parsedObject(data)
      if (piece === null) return []
      const error = failureIn(piece)
      if (error !== null) return plainAnswer.fail(error)
      return [
        ...plainAnswer.start('', textOf(piece['model'])),
        ...plainAnswer.append('text', textOf(piece['content'] ?? piece['answer'])),
        ...plainAnswer.leaveOut(piece, knownMembers, 'message'),
        ...(piece['finish'] === true ? finishAnswer(piece, plainAnswer) : []),
      ]
    },
    end: () => plainAnswer.end(),
  }
}

const knownMembers: ReadonlySet<string> = new Set([
  'answer',
  'content',
  'documents',
  'errCode',
  'finish',
  'message',
  'model',
  'success',
])
const knownOfDocument: ReadonlySet<string> = new Set(['title', 'url'])

function failureIn({ errCode, ...reported }: JsonObject): ErrorView | null {
  const isAnswer = 'answer' in reported || 'content' in reported || 'finish' in reported
  return errorIn(reported) ?? reportedFailure({ errorCode: errCode, ...reported }, isAnswer)
}

const finishAnswer = (reported: JsonObject, plainAnswer: PlainAnswer): AnswerEvent[] => [
  ...sources(reported, plainAnswer),
  ...plainAnswer.finish({ reason: 'stop', rawReason: '', usage: null }),
]

/** A numbered list of links behind the text, each of them a source, for clients that show sources and for those that do not. */
function sources({ documents }: JsonObject, plainAnswer: PlainAnswer): AnswerEvent[] {
  const listed = objectsOf(documents)
    .map((document) => ({ title: textOf(document['title']), url: textOf(document['url']) }))
    .filter(({ title, url }) => title !== '' || url !== '')
  const shownList = listed.flatMap(({ title, url }, index) => {
    const entry = `${index === 0 ? '\n\n' : '\n'}${index + 1}. `
    const text = url === '' ? title : `[${title || url}](${url})`
    const entryEvents = plainAnswer.append('text', entry)
    const start = plainAnswer.length
    const shown = plainAnswer.append('text', text)
    const cited = url === '' ? [] : plainAnswer.cite({ url, title: title || url, start, end: plainAnswer.length })
    return [...entryEvents, ...shown, ...cited]
  })
  const others = objectsOf(documents).flatMap((document) =>
    plainAnswer.leaveOut(document, knownOfDocument, 'documents'),
  )
  return [...shownList, ...others]
}

/** `POST /api/library/ask`; only upstreams speak it. */
export const aiProxyLibrary: Dialect = chatDialect(
  'aiproxy-library',
  aiProxyLibraryCodec,
  ({ answer }) => typeof answer === 'string',
)
