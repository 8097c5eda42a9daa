import type { Mode } from '@tollgate/dialects'

import type { Target } from './provider'

type UrlTarget = Pick<Target, 'baseUrl' | 'mode' | 'path'>

/** What follows `/v1/` in OpenAI's address of each mode. */
const tasks: Record<Mode, string> = {
  chat: 'chat/completions',
  completions: 'completions',
  embeddings: 'embeddings',
  fim: 'fim/completions',
  images: 'images/generations',
  'image-edits': 'images/edits',
  'image-variations': 'images/variations',
  live: 'live',
  moderation: 'moderations',
  ocr: 'ocr',
  realtime: 'realtime',
  rerank: 'rerank',
  speech: 'audio/speech',
  transcription: 'audio/transcriptions',
  translation: 'audio/translations',
}

/** The path of a mode after `/v1/`, whatever address the client used for it. */
export const taskOf = (mode: Mode): string => tasks[mode]

/**
 * `{base}{prefix}/{task}` with the client's query. The path comes from the mode, not from the client: the playground and
 * aliases have paths of their own; `task` is for another address of the same mode. Behind Cloudflare's AI Gateway some vendors
 * have another prefix, and so has what Codex calls with a subscription of ChatGPT.
 */
export const openAiPath =
  (prefix = '/v1', behindCloudflare = prefix, task?: string) =>
  ({ baseUrl, mode, path }: UrlTarget): string =>
    `${baseUrl}${isCloudflareGateway(baseUrl) || isCodexBackend(baseUrl) ? behindCloudflare : prefix}/${task ?? tasks[mode]}${queryOf(path)}`

/** The address is Cloudflare's AI Gateway: https://developers.cloudflare.com/ai-gateway/usage/providers/ */
export const isCloudflareGateway = (baseUrl: string): boolean =>
  baseUrl.startsWith('https://gateway.ai.cloudflare.com/')

const isCodexBackend = (baseUrl: string): boolean => baseUrl.endsWith('/backend-api/codex')

/** The client's query with its `?`, without the parameters that carry a secret or are named. Empty when none is left. */
export function queryOf(path: string, ...dropped: string[]): string {
  const start = path.indexOf('?')
  if (start < 0) return ''
  const remaining = path
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '' && !isDropped(part, dropped))
  return remaining.length === 0 ? '' : `?${remaining.join('&')}`
}

/** One parameter of the client's query, or undefined. */
export function parameterOf(path: string, name: string): string | undefined {
  const start = path.indexOf('?')
  if (start < 0) return undefined
  return new URLSearchParams(path.slice(start + 1)).get(name) ?? undefined
}

/** Where clients put the key that they call the gateway with. */
const secretParameters: ReadonlySet<string> = new Set(['key', 'api-key'])

function isDropped(part: string, dropped: readonly string[]): boolean {
  const name = new URLSearchParams(part).keys().next().value
  return name !== undefined && (secretParameters.has(name) || dropped.includes(name))
}

/** A model's name inside a path: slashes, colons and `@` belong to some names; nothing in it can leave the path. */
export const modelInPath = (model: string): string => model.split('/').map(segmentOf).join('/')

/** A name that is one step of a path, whatever is in it. */
export const nameInPath = (name: string): string => stepOf(encodeURIComponent(name))

function segmentOf(text: string): string {
  return stepOf(encodeURIComponent(text).replaceAll('%40', '@').replaceAll('%3A', ':'))
}

/** An address reads `.` and `..` as steps, escaped or not: a doubly escaped dot is a name. */
const stepOf = (escaped: string): string => (/^\.{1,2}$/.test(escaped) ? escaped.replaceAll('.', '%252E') : escaped)
