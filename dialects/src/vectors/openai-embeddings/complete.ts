import { isObject, type JsonObject } from '../../core/json'
import { isNumbers, packedVector } from '../../core/neutral/vectors'

/**
 * An answer with its vectors packed where the client asked for that and the vendor does not know how: OpenAI's SDK asks for packed vectors
 * unless told otherwise, and reads nothing else then. The same object when nothing must change.
 */
export function completeEmbeddings(answer: JsonObject, request: JsonObject): JsonObject {
  const { data } = answer
  if (request['encoding_format'] !== 'base64' || !Array.isArray(data)) return answer
  if (!data.some((item: unknown) => isObject(item) && isNumbers(item['embedding']))) return answer
  return { ...answer, data: data.map(packed) }
}

const packed = (item: unknown): unknown =>
  isObject(item) && isNumbers(item['embedding']) ? { ...item, embedding: packedVector(item['embedding']) } : item
