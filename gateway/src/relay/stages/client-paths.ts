import type { PathContext } from '@tollgate/dialects'

import type { AddressedEndpoint } from './endpoint'

const openRouter = '/api/v1/'
export const isOpenRouterPath = (requestedPath: string): boolean => requestedPath.startsWith(openRouter)

/** Where the base address of another product stands before a path of ours. The longer one comes first. */
const bases = [
  // OpenAI's SDK with the base address of Azure, of OpenRouter, of Google; Anthropic's with that of a host of several dialects.
  ['/openai/v1/', '/v1/'],
  ['/openai/', '/v1/'],
  [openRouter, '/v1/'],
  ['/anthropic/v1/', '/v1/'],
  ['/v1beta/openai/', '/v1/'],
  // DeepSeek's, for completions between two texts.
  ['/beta/', '/v1/'],
  ['/cohere/v1/', '/v1/'],
  ['/cohere/v2/', '/v2/'],
] as const

/** Returns what the path of another product tells about a call, besides what ours does: OpenRouter ends each stream with its usage. */
export const pathContextAt = (requestedPath: string, { pathContext }: AddressedEndpoint): PathContext =>
  isOpenRouterPath(requestedPath) ? { ...pathContext, includesUsage: true } : pathContext

/** First parts of paths that OpenAI's and Anthropic's clients call below a base address without its version. */
const unversioned =
  /^\/(?:audio|chat|completions|embeddings|images|messages|models|moderations|realtime|rerank|responses|videos)(?:\/|$)/

/** A base address with its version, behind which a client writes the version once more. */
const firstVersion = /^\/v\d[a-z]*(?=\/v\d[a-z]*\/)/

/** The colon before an action of Google's, as clients write it that encode the whole name of a model. */
const encodedAction = /%3A(?=[A-Za-z]+$)/i

/**
 * Returns the path that a client means which was given another base address than the gateway's; the same path when there is none.
 * Called only for paths without an endpoint of their own.
 */
export function standardPath(requestedPath: string): string {
  const single = requestedPath.includes('//') ? requestedPath.replace(/\/{2,}/g, '/') : requestedPath
  const path = single.replace(encodedAction, ':')
  const own = ownBaseOf(path).replace(firstVersion, '')
  return unversioned.test(own) ? `/v1${own}` : own
}

function ownBaseOf(path: string): string {
  const found = bases.find(([base]) => path.startsWith(base))
  return found ? found[1] + path.slice(found[0].length) : path
}
