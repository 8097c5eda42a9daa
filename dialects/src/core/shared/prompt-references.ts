import { isObject, type JsonObject } from '../json'
import { elementsOf } from '../neutral/read'
import { toolNamesOf } from './possible-use'

/** Members by which a request builds on something that the vendor keeps. */
const stored = ['previous_response_id', 'conversation', 'cachedContent', 'cached_content'] as const

/** Members by which a request asks the vendor to look something up. */
const sources = [
  'container',
  'mcp_servers',
  'plugins',
  'search_parameters',
  'web_search_options',
  'enable_search',
] as const

/** How the length of a prompt can be bounded: by its texts, by the bytes of the body, or by nothing but the model's window. */
export type PromptReach = 'texts' | 'bytes' | 'window'

/** Members by which dialects name a file or film that is not in the body. Pictures are bounded otherwise. */
const addressNames: ReadonlySet<string> = new Set([
  'file_id',
  'file_url',
  'fileUri',
  'file_uri',
  'url',
  'uri',
  'video_url',
  'video',
  'audio_url',
])
const imageName = 'image_url'
/** Requests nest no deeper. */
const deepest = 16
/** Tools of vendors that read what the caller points them to, at his addresses and servers: nothing in the body bounds that. */
const remoteServers = ['mcp'] as const
const fetchingTools = [...remoteServers, 'web_fetch', 'urlContext', 'url_context'] as const

/** A body with a file in it is hardly shorter, so a shorter one names an address. */
const minFileBodyLength = 65_536

/** Returns what bounds the prompt of a request in any dialect, of which `files` parts are neither text nor an image nor a recording. */
export function promptReach(text: string, body: JsonObject, files: number): PromptReach {
  if (namesStored(body) || mayFetch(body)) return 'window'
  if (files === 0) return 'texts'
  return text.length < minFileBodyLength || namesAddress(body) ? 'window' : 'bytes'
}

/** Returns whether the request lets the vendor fetch what the caller chooses. */
const mayFetch = (body: JsonObject): boolean => namesServers(body) || hasTool(body, fetchingTools)

/** Returns whether a request, in any dialect, names MCP servers for the vendor to call. */
export const namesRemoteServers = (body: JsonObject): boolean => namesServers(body) || hasTool(body, remoteServers)

const namesServers = ({ mcp_servers: servers }: JsonObject): boolean => elementsOf(servers).length > 0

const hasTool = ({ tools }: JsonObject, prefixes: readonly string[]): boolean =>
  elementsOf(tools).some(
    (tool) => isObject(tool) && toolNamesOf(tool).some((name) => prefixes.some((prefix) => name.startsWith(prefix))),
  )

function namesAddress(value: unknown, name = '', depth = 0): boolean {
  if (depth > deepest || name === imageName) return false
  if (typeof value === 'string') return addressNames.has(name) && value !== '' && !value.startsWith('data:')
  if (Array.isArray(value)) return value.some((item: unknown) => namesAddress(item, name, depth + 1))
  return isObject(value) && Object.entries(value).some(([inner, member]) => namesAddress(member, inner, depth + 1))
}

/** Returns whether a request, in any dialect, builds on something that the vendor keeps. */
export const namesStored = (body: JsonObject): boolean =>
  stored.some((name) => isSet(body[name])) || isObject(body['prompt'])

/** Kinds of tools that the client itself runs. */
const clientTools: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom'])

/**
 * Whether a request, in any dialect, may have a longer prompt than its body shows: it names something stored at the vendor,
 * or tools of the vendor that add what they find.
 */
export function refersBeyondBody(body: JsonObject): boolean {
  if (namesStored(body) || sources.some((name) => isSet(body[name]))) return true
  const { tools } = body
  return elementsOf(tools).some(isVendorTool)
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** Gemini's tools have no type: those of the client are declarations of functions and nothing else. */
export function isVendorTool(tool: unknown): boolean {
  if (!isObject(tool)) return false
  const isDeclared = 'functionDeclarations' in tool || 'function_declarations' in tool
  if (isDeclared) return Object.keys(tool).length > 1
  const isNamed = 'name' in tool || 'function' in tool
  return !clientTools.has(tool['type']) || !isNamed
}
