import { namesRemoteServers } from '@tollgate/dialects'
import { descriptionOf } from '@tollgate/providers'

import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { Candidate } from '../../channels/catalog/catalog'
import type { ModelCall } from '../call'
import type { CallView } from './call-view'

interface ReadCall {
  readonly call: Pick<ModelCall, 'dialect' | 'endpoint'>
  readonly body: Pick<ParsedBody, 'json'>
  readonly view: Pick<CallView, 'promptReach'>
}

/**
 * Returns what decides which channels can serve a chat that names MCP servers for its vendor to call: those whose vendor does so in the
 * client's dialect, as the servers have no form in another. Undefined for chats that name none, as most.
 */
export function servingServers({ call, body, view }: ReadCall): ((candidate: Candidate) => boolean) | undefined {
  // The reach of a prompt has no bound where servers add to it.
  if (view.promptReach !== 'window' || call.endpoint.mode !== 'chat' || !namesRemoteServers(body.json)) return undefined
  const { dialect } = call
  return ({ channel, model }) => {
    const { provider, modelMapping, keys, other, baseUrl } = channel
    const key = keys[0]?.value ?? ''
    const target = { model: modelMapping.get(model) ?? model, key, other, body: body.json, dialect }
    const description = descriptionOf(provider, { mode: 'chat', dialect }, target)
    return description?.dialect === dialect && description.lacksRemoteServers?.({ baseUrl }) !== true
  }
}
