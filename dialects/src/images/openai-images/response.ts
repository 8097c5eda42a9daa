import type { AnswerView } from '../../core/views'
import { isObject, type JsonObject } from '../../core/json'
import { imageDetails } from '../../core/neutral/image'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { errorIn } from '../../core/shared/errors'
import { failureIn } from '../../core/shared/reported-failure'
import { readUsage, TokenCounts } from '../../core/shared/usage'
import { noUsage, type ReportedUsage, type UsageDetails } from '../../core/usage'

/** A whole answer with pictures. https://platform.openai.com/docs/api-reference/images/object */
export function readImageAnswer(answer: JsonObject): AnswerView {
  const count = imagesIn(answer).length
  return {
    usage: imageUsage(answer, count),
    error: errorIn(answer) ?? failureIn(answer, count > 0),
    toolCalls: 0,
    isEmpty: count === 0,
    completionText: () => '',
  }
}

/** The pictures of an answer, some of which may have failed. SiliconFlow calls the list `images`. */
export const imagesIn = ({ data, images }: JsonObject): readonly JsonObject[] =>
  objectsOf(data ?? images).filter(isImage)

const isImage = ({ b64_json: data, url }: JsonObject): boolean => textOf(data) !== '' || textOf(url) !== ''

/** What pictures used. Most vendors report no tokens; the pictures themselves count all the same. */
export function imageUsage(answer: JsonObject, count: number): ReportedUsage {
  const usage = readUsage(answer['usage']) ?? ({ ...noUsage, unreported: 'all' } as const)
  return { ...usage, details: { ...usage.details, ...imageDetails(answer, count), ...modalities(answer['usage']) } }
}

/** Some models write as well as draw. */
function modalities(usage: unknown): UsageDetails {
  const { text_tokens: text, image_tokens: image } = objectOf(isObject(usage) ? usage['output_tokens_details'] : {})
  const counts = new TokenCounts()
  const [TEXT, IMAGE] = [counts.first(text), counts.first(image)]
  return TEXT === null || IMAGE === null || counts.isWrong ? {} : { completion_modalities: { TEXT, IMAGE } }
}
