import type { CallPlace } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import type { JsonObject } from '../../core/json'
import type { EmbeddingInput, EmbeddingTask, MixedInput, NeutralEmbedding } from '../../core/neutral/embedding'
import { numberOrNull, objectOf, objectsOf, textOf, textsOf } from '../../core/neutral/read'
import { readEmbedRequest } from './request'

/** A client's call for vectors. `isBatch`: it names the types that it wants. @throws DialectError */
export function readCall(body: JsonObject, place: CallPlace): NeutralEmbedding {
  const { model } = readEmbedRequest(body, place)
  return {
    model,
    inputs: [
      ...textsOf(body['texts']),
      ...textsOf(body['images']).map((image) => ({ parts: [{ image }] })),
      ...objectsOf(body['inputs']).map(readInput),
    ],
    isBatch: Array.isArray(body['embedding_types']),
    dimensions: numberOrNull(body['output_dimension']),
    encoding: readEncoding(textsOf(body['embedding_types'])),
    task: tasks[textOf(body['input_type'])] ?? null,
    title: null,
    user: null,
    own: Object.fromEntries(Object.entries(body).filter(([name, value]) => !understood.has(name) && value !== null)),
  }
}

const understood: ReadonlySet<string> = new Set([
  'model',
  'texts',
  'images',
  'inputs',
  'input_type',
  'embedding_types',
  'output_dimension',
])

const tasks: Readonly<Record<string, EmbeddingTask>> = {
  search_query: 'query',
  search_document: 'document',
  classification: 'classification',
  clustering: 'clustering',
}

function readInput({ content }: JsonObject): EmbeddingInput {
  const parts = objectsOf(content).map((part): MixedInput['parts'][number] => {
    const url = textOf(objectOf(part['image_url'])['url'])
    return part['type'] === 'image_url' ? { image: url } : { text: textOf(part['text']) }
  })
  const [only] = parts
  return parts.length === 1 && only !== undefined && 'text' in only ? only.text : { parts }
}

/** @throws DialectError for types that only the vendor can make. */
function readEncoding(types: readonly string[]): NeutralEmbedding['encoding'] {
  const other = types.find((type) => type !== 'float' && type !== 'base64')
  if (other !== undefined)
    throw new DialectError(
      'embedding_types',
      'invalid_value',
      "Invalid 'embedding_types': the model gives 'float' and 'base64' alone.",
    )
  if (!types.includes('base64')) return 'float'
  return types.includes('float') ? 'both' : 'base64'
}
