import type { CallPlace, PromptShape, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { member } from '../../core/shared/google-members'
import { isObject, type JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf, textOrNull } from '../../core/neutral/read'
import { mostPictureTokens } from '../openai-images/request'
import { missing, readChoices, readModel, wrongType } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

/** How many images the vendor draws where the request does not tell. */
const usualCount = 4

/** Reads a request for images. @throws DialectError */
export function readPredictRequest(body: JsonObject, { model }: CallPlace): RequestView {
  const { instances } = body
  if (instances === undefined || instances === null) throw missing('instances')
  if (!Array.isArray(instances)) throw wrongType('instances', 'an array of objects', instances)
  const [first]: readonly unknown[] = instances
  if (first === undefined || instances.length > 1)
    throw new DialectError('instances', 'invalid_value', "Invalid 'instances': expected exactly one.")
  if (!isObject(first)) throw wrongType('instances[0]', 'an object', first)
  if (textOf(first['prompt']) === '') throw missing('instances[0].prompt')
  const parameters = objectOf(body['parameters'])
  const count = member(parameters, 'sampleCount') ?? usualCount
  const picture = { size: textOrNull(member(parameters, 'sampleImageSize')), quality: null }
  return {
    model: readModel({ model: model.replace(/^models\//, '') || undefined }),
    isStream: false,
    includeUsage: false,
    maxOutputTokens: mostPictureTokens(picture),
    choices: readChoices({ sampleCount: count }, 'sampleCount'),
    picture,
  }
}

export function predictPrompt(body: JsonObject): PromptShape {
  const instance = objectOf(objectsOf(body['instances'])[0])
  const references = objectsOf(member(instance, 'referenceImages')).length
  return { ...inputPrompt(instance, 'prompt'), images: references + (isObject(instance['image']) ? 1 : 0) }
}
