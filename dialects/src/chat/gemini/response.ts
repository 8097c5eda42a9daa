import type { AnswerView, CreatedObject } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { believedUsage } from '../../core/shared/reported-usage'
import { AnswerWords } from '../../core/shared/inline-images'
import { failureIn, hasObjects } from '../../core/shared/reported-failure'
import { errorIn } from './errors'
import { failedFinish } from './finish-reasons'
import { member, memberList, memberObject } from '../../core/shared/google-members'
import { partialTexts } from './partial-args'
import { isContinuation, isPartial } from './partial-call'
import { readUsage } from './usage'

/** What a response says, all candidates in a row. */
interface GeneratedContent {
  readonly texts: readonly string[]
  readonly toolCalls: number
  readonly hasMedia: boolean
  readonly images: number
}

/** A whole response. */
export function readResponse(answer: JsonObject): AnswerView {
  const { texts, toolCalls, hasMedia, images } = generatedIn(answer)
  const words = new AnswerWords(texts)
  const isEmpty = toolCalls === 0 && !hasMedia && texts.every((text) => text.trim() === '')
  return {
    usage: believedUsage(readUsage(answer), { hasOutput: texts.length > 0 || hasMedia, isCovered: true }),
    error: errorIn(answer) ?? failureIn(answer, isResponse(answer)) ?? (isEmpty ? failedFinish(answer) : null),
    toolCalls,
    isEmpty,
    completionText: () => words.text,
    images: () => words.images + images,
    createdObjects: () => sealedBy(signatureIn(answer)),
  }
}

/** Candidates, or why there are none. */
const isResponse = (answer: JsonObject): boolean =>
  hasObjects(answer['candidates']) || isObject(member(answer, 'promptFeedback'))

/** Returns what an account signed. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const sealedBy = (signature: string): readonly CreatedObject[] =>
  signature === '' ? [] : [{ kind: 'sealed', id: signature }]

/** The latest signature of a response; empty without one. */
export const signatureIn = (answer: JsonObject): string =>
  textOf(partsIn(answer).findLast((part) => member(part, 'thoughtSignature'))?.['thoughtSignature'])

const partsIn = (answer: JsonObject): JsonObject[] =>
  objectsOf(answer['candidates']).flatMap((candidate) => memberList(memberObject(candidate, 'content'), 'parts'))

export function generatedIn(answer: JsonObject): GeneratedContent {
  const parts = partsIn(answer)
  return {
    texts: parts.flatMap(textsOfPart).filter((text) => text !== ''),
    toolCalls: parts.filter(beginsCall).length,
    hasMedia: parts.some((part) => isObject(mediaIn(part))),
    images: parts.filter(isImage).length,
  }
}

const mediaIn = (part: JsonObject): unknown => member(part, 'inlineData') ?? member(part, 'fileData')

const isImage = (part: JsonObject): boolean => {
  const media = mediaIn(part)
  return isObject(media) && textOf(member(media, 'mimeType')).startsWith('image/')
}

/** Whether a part begins a call: of a call that is streamed in parts only the first counts. */
function beginsCall(part: JsonObject): boolean {
  const call = member(part, 'functionCall')
  return isObject(call) && !isContinuation(call)
}

function textsOfCall(call: JsonObject): string[] {
  const args = isPartial(call) || isContinuation(call) ? partialTexts(call) : [JSON.stringify(call['args'] ?? {})]
  return [textOf(call['name']), ...args]
}

function textsOfPart(part: JsonObject): string[] {
  const call = member(part, 'functionCall')
  return [
    textOf(part['text']),
    ...(isObject(call) ? textsOfCall(call) : []),
    textOf(memberObject(part, 'executableCode')['code']),
  ]
}
