import { alwaysSearches, isObject, toolLimits, type JsonObject } from '@tollgate/dialects'

import type { Prepared } from '../../channels/calls/prepare'
import { maxResultBytes } from '../../channels/web-search/search-web'
import { parsedJson } from '../../platform/text/parsed-json'
import type { Caller, ModelCall } from '../call'
import type { CallView } from './call-view'

interface AskingCall {
  readonly call: Pick<ModelCall, 'catalog' | 'endpoint'>
  readonly caller: Pick<Caller, 'ownLogin'>
  readonly body: { readonly json: JsonObject }
  readonly view: CallView
}

/**
 * Returns the most searches that are run here for a call, which its client may limit; 0: the site has no search service, or the call asks for none.
 * With its own login a client gets what its vendor responds, and what is searched here would cost it nothing.
 */
export function maxSearches({ call: { catalog, endpoint }, caller, body, view }: AskingCall): number {
  const { options } = catalog
  if (options.WebSearchService === 'off' || endpoint.mode !== 'chat' || view.choices !== 1) return 0
  if (caller.ownLogin !== null || (view.possible.maxToolCalls.webSearch ?? 0) === 0) return 0
  return Math.min(options.WebSearchMaxUses, toolLimits(body.json).webSearch ?? 0)
}

/** A result of the web has at most about a token for three bytes. */
const tokensPerResult = maxResultBytes / 3
/** What a model writes to ask for a search, thoughts included, and reads again in each later round. */
const tokensPerRequest = 1000

/** Returns the tokens that all rounds of a call may read together. */
export const searchedPromptTokens = (promptTokens: number, searches: number): number =>
  promptTokens * (searches + 1) + ((searches * (searches + 1)) / 2) * (tokensPerResult + tokensPerRequest)

/**
 * Returns whether the vendor searches for a request as it was written. Hosts of OpenAI's chats ignore `web_search_options`, unless the model
 * searches whatever it is asked.
 */
export function searchesItself({ request: { body }, description, upstreamModel }: Prepared): boolean {
  if (alwaysSearches(upstreamModel)) return true
  const json = typeof body === 'string' ? parsedJson(body) : null
  if (!isObject(json)) return false
  const { web_search_options: options, ...others } = json
  if (options !== undefined && (description.searches || description.dialect !== 'openai-chat')) return true
  return toolLimits(others).webSearch !== undefined
}
