import { foreignSearch, isObject, type JsonObject } from '@tollgate/dialects'

import { type Change, mapObjects, withoutMembers } from '../shape'

/**
 * Leaves out searches and citations of other vendors, which answered earlier in the conversation: clients have them in Anthropic's words,
 * but Anthropic takes back only what it signed.
 */
export const withoutForeignSearches: Change = (body, _target, warn) => {
  if (!listIn(body, 'tools').some(isSearchTool)) return body
  const proven = mapObjects(body, 'messages', (message) =>
    mapObjects(withoutSearches(message), 'content', withoutCitations),
  )
  if (proven !== body) warn('searches of another vendor')
  return proven
}

function listIn(holder: JsonObject, name: string): readonly unknown[] {
  const list = holder[name]
  return Array.isArray(list) ? list : []
}

function isSearchTool(tool: unknown): boolean {
  const type = isObject(tool) && tool['type']
  return typeof type === 'string' && type.startsWith('web_search_')
}

function withoutSearches(message: JsonObject): JsonObject {
  const content = listIn(message, 'content')
  const own = content.filter((block) => !isForeign(block))
  return own.length === content.length ? message : { ...message, content: own }
}

const isForeign = (block: unknown): boolean =>
  isObject(block) && String(block['tool_use_id'] ?? block['id']).startsWith(foreignSearch)

function withoutCitations(block: JsonObject): JsonObject {
  const citations = listIn(block, 'citations')
  const own = citations.filter((citation) => !isObject(citation) || citation['encrypted_index'] !== '')
  if (own.length === citations.length) return block
  return own.length === 0 ? withoutMembers(block, 'citations') : { ...block, citations: own }
}
