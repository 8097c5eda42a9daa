import { isObject, type JsonObject } from '@tollgate/dialects'

/** An image within an answer of OpenAI's images API. One of `url` and `base64` says where it is. */
export interface ResponseImage {
  readonly url?: string
  readonly base64?: string
  readonly contentType: string
}

/** Returns the images of an answer, in order. https://platform.openai.com/docs/api-reference/images/object */
export function imagesOf({ data, output_format: format }: JsonObject): readonly ResponseImage[] {
  const contentType = `image/${typeof format === 'string' ? format : 'png'}`
  if (!Array.isArray(data)) return []
  return data.filter(isObject).flatMap(({ url, b64_json: base64 }) => {
    if (typeof url === 'string' && url.startsWith('data:')) return [withinAddress(url)]
    if (typeof url === 'string' && url !== '') return [{ url, contentType }]
    return typeof base64 === 'string' ? [{ base64, contentType }] : []
  })
}

/** An image may be its own address: `data:image/png;base64,…`. */
function withinAddress(url: string): ResponseImage {
  const comma = url.indexOf(',')
  const [type = ''] = url.slice('data:'.length, comma).split(';')
  return { base64: url.slice(comma + 1), contentType: type }
}
