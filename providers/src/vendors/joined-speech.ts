import { isObject, parseAnswer, type JsonObject } from '@tollgate/dialects'

/**
 * Returns the pieces of speech as one response. What is not a stream stays as it is, and so does the failure that ends one. A stream
 * without an end leaves nothing. https://help.aliyun.com/zh/model-studio/qwen-tts-api
 */
export function joinedSpeechEvents(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(body)
  if (text.trimStart().startsWith('{')) return body
  const reported = [...text.matchAll(/^data: ?(\{.*\})\r?$/gm)].flatMap(([, data = '']) => objectIn(data))
  const failure = reported.find(({ code }) => typeof code === 'string' && code !== '')
  return new TextEncoder().encode(failure ? JSON.stringify(failure) : joinOutputs(reported))
}

function joinOutputs(reported: readonly JsonObject[]): string {
  const outputs = reported.flatMap(({ output }) => (isObject(output) ? [output] : []))
  if (!outputs.some((output) => output['finish_reason'] === 'stop')) return ''
  const pieces = outputs.map(({ audio }) => {
    const data = isObject(audio) ? audio['data'] : ''
    return Buffer.from(typeof data === 'string' ? data : '', 'base64')
  })
  const { usage } = reported.findLast((event) => isObject(event['usage'])) ?? {}
  return JSON.stringify({ output: { audio: { data: Buffer.concat(pieces).toString('base64') } }, usage })
}

const isEnd = ({ code }: JsonObject): boolean => code === 20_000_000
const isPiece = ({ code }: JsonObject): boolean => code === 0

/**
 * Returns the pieces of speech, one JSON object a line, as one response; a failure among them in their place. Speech without an end
 * leaves nothing. https://www.volcengine.com/docs/6561/1598757
 */
export function joinedSpeechLines(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const lines = new TextDecoder()
    .decode(body)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const reported = lines.flatMap(objectIn)
  if (reported.length === 0) return body
  const failure = reported.find((piece) => !isPiece(piece) && !isEnd(piece))
  if (failure) return new TextEncoder().encode(JSON.stringify(failure))
  if (!reported.some(isEnd)) return new Uint8Array()
  const pieces = reported.map(({ data }) => Buffer.from(typeof data === 'string' ? data : '', 'base64'))
  return new TextEncoder().encode(JSON.stringify({ code: 0, data: Buffer.concat(pieces).toString('base64') }))
}

function objectIn(text: string): JsonObject[] {
  try {
    const reported: unknown = parseAnswer(text)
    return isObject(reported) ? [reported] : []
  } catch {
    return []
  }
}
