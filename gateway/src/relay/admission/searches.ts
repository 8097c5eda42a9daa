import { alwaysSearches, isObject, toolLimits } from '@tollgate/dialects'

import type { Prepared } from '../../channels/calls/prepare'
import { maxResultLength } from '../../channels/web-search/search-web'
import { parsedJson } from '../../platform/text/parsed-json'
import type { ModelCall } from '../call'
import type { CallView } from './call-view'

type AskingCall = Pick<ModelCall, 'catalog' | 'endpoint'>

/** Returns the most searches that are run here for a call; 0: the site has no search service, or the call asks for none. */
export function maxSearches({ catalog: { options }, endpoint }: AskingCall, view: CallView): number {
  if (options.WebSearchService === 'off' || endpoint.mode !== 'chat' || view.choices !== 1) return 0
  return (view.possible.maxToolCalls.webSearch ?? 0) > 0 ? options.WebSearchMaxUses : 0
}

/** A result of the web has at most about a token for two characters. */
const tokensPerResult = maxResultLength / 2
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
