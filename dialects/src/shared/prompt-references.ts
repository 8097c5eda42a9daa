import { isObject, type JsonObject } from '../json'

/** Members by which a request builds on something that the vendor keeps or looks up. */
const references = [
  'previous_response_id',
  'conversation',
  'cachedContent',
  'cached_content',
  'container',
  'mcp_servers',
  'plugins',
  'search_parameters',
  'web_search_options',
  'enable_search',
] as const

/** Kinds of tools that the client itself runs. */
const clientTools: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom'])

/**
 * Whether a request, in any dialect, may have a longer prompt than its body shows: it names something stored at the vendor,
 * or tools of the vendor that add what they find.
 */
export function refersBeyondBody(body: JsonObject): boolean {
  if (references.some((name) => isSaid(body[name])) || isObject(body['prompt'])) return true
  const { tools } = body
  return Array.isArray(tools) && tools.some(isVendorTool)
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** Gemini's tools have no type: those of the client are declarations of functions and nothing else. */
function isVendorTool(tool: unknown): boolean {
  if (!isObject(tool)) return false
  const isDeclared = 'functionDeclarations' in tool || 'function_declarations' in tool
  if (isDeclared) return Object.keys(tool).length > 1
  const isNamed = 'name' in tool || 'function' in tool
  return !clientTools.has(tool['type']) || !isNamed
}
