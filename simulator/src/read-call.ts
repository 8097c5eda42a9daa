import type { Call } from './dialect'
import type { WireRequest } from './http/request-reader'
import { type JsonObject, objectOr, parseJson, textOr } from './json'

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

/** Returns the fields of a form, a file as its size in bytes; undefined for any other body. */
function formFields(contentType: string, body: Buffer): JsonObject | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) return undefined
  const parts = body.toString('latin1').split(`--${boundary}`)
  return Object.fromEntries(parts.flatMap((part) => fieldIn(part)))
}

function fieldIn(part: string): [string, unknown][] {
  const end = part.indexOf('\r\n\r\n')
  const head = part.slice(0, end)
  const name = /\bname="([^"]*)"/.exec(head)?.[1]
  if (end < 0 || name === undefined) return []
  const value = part.slice(end + 4, -2)
  const isFile = head.includes('filename=')
  return [[name, isFile ? { bytes: value.length } : Buffer.from(value, 'latin1').toString('utf8')]]
}

/** Calls that name the model, and whether the answer is streamed, in their path. */
const named: readonly RegExp[] = [
  /\/models\/([^/]+):\w+$/,
  /\/model\/([^/]+)\/(?:invoke(?:-with-response-stream)?|converse(?:-stream)?)$/,
  /\/model-api\/([^/]+)\/(?:sse-)?invoke$/,
  /\/wenxinworkshop\/\w+\/([^/]+)$/,
]
const deployment = /\/deployments\/([^/]+)\//
const streamed = /:stream(?:GenerateContent|RawPredict)$|\/(?:invoke-with-response|converse)-stream$|\/sse-invoke$/

/** The model a path names, or the one of the body. A deployment is a model only if the body names none. */
function modelOf(path: string, inBody: string): string {
  for (const pattern of named) {
    const model = pattern.exec(path)?.[1]
    if (model !== undefined) return tryDecode(model)
  }
  return inBody || tryDecode(deployment.exec(path)?.[1] ?? '')
}

export const isStreamPath = (path: string): boolean => streamed.test(path)

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
