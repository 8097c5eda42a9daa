import { isStreamPath, modelOf } from './call-path'
import type { Call } from './dialect'
import { formFields } from './http/form-fields'
import type { WireRequest } from './http/request-reader'
import { objectOr, parseJson, textOr } from './json'

/** What a request says, as dialects look at it. */
export function readCall({ method, target, headers, body }: WireRequest, number: number): Call {
  const [path = '', query = ''] = target.split('?', 2)
  const text = body.toString('utf8')
  const json = formFields(headers['content-type'] ?? '', body) ?? parseJson(text)
  const named = objectOr(json)
  return {
    number,
    method,
    path,
    query,
    headers,
    body: text,
    json,
    apiKey: apiKeyIn(headers, query),
    model: modelOf(path, textOr(named['model'], '')),
    isStream:
      named['stream'] === true || named['stream'] === 'true' || named['stream_format'] === 'sse' || isStreamPath(path),
  }
}

/** From whichever place a dialect has for it; of a signature, the id of its key. */
function apiKeyIn(headers: Readonly<Record<string, string>>, query: string): string {
  const authorization = headers['authorization']
  const signer = /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)/.exec(authorization ?? '')?.[1]
  const named = headers['api-key'] ?? headers['x-api-key'] ?? headers['x-goog-api-key']
  return signer ?? authorization?.replace(/^Bearer /i, '') ?? named ?? new URLSearchParams(query).get('key') ?? ''
}
