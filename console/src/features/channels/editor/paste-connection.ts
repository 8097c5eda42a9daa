import { readAddress } from './pasted-address'
import { objectOf } from './channel-form'

/** What was recognized in a pasted text. */
export interface Connection {
  readonly name?: string
  readonly key?: string
  /** As it was pasted. */
  readonly address?: string
  readonly models?: readonly string[]
  /** The vendor's name in the text: the prefix of a variable's name. */
  readonly vendor?: string
}

/**
 * Recognizes a connection in what people copy: an address, `https://host|key`, lines of environment variables, JSON, a curl command. A
 * bare key is not a connection: undefined.
 */
export function readConnection(text: string): Connection | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (trimmed.startsWith('{')) return connectionOf(objectOf(trimmed) ?? {})
  if (/^curl\s/i.test(trimmed)) return ofCurl(trimmed)
  if (address.test(trimmed) && !trimmed.includes('|')) return { address: trimmed, ...modelsIn(trimmed) }
  return ofPair(trimmed) ?? ofVariables(trimmed)
}

const address = /^https?:\/\/\S+$/i

/** Reads an address and a key side by side, in either order. */
function ofPair(text: string): Connection | undefined {
  const parts = text.split(/[|\n]/).map((part) => part.trim())
  const [first = '', second = ''] = parts
  if (parts.length !== 2 || first === '' || second === '' || second.includes('=')) return undefined
  if (address.test(first) === address.test(second)) return undefined
  return address.test(first) ? { address: first, key: second } : { address: second, key: first }
}

const variable = /^(?:export\s+|set\s+)?([A-Z][A-Z0-9_]*)\s*[=:]\s*["']?([^"'\s]+)["']?;?$/i

function ofVariables(text: string): Connection | undefined {
  const found: { key?: string; address?: string; models?: string[]; vendor?: string } = {}
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = variable.exec(line.trim()) ?? []
    const owner = /^(.+?)_(?:API_KEY|KEY|TOKEN|API_TOKEN)$/i.exec(name)?.[1]
    if (owner !== undefined) {
      found.key = value
      found.vendor = owner.toLowerCase()
    } else if (/(?:URL|BASE|ENDPOINT|HOST)$/i.test(name) && address.test(value)) found.address = value
    else if (/MODELS?$/i.test(name)) found.models = partsOf(value)
  }
  return found.key === undefined && found.address === undefined ? undefined : found
}

const textAt = (source: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined => {
  const value = names.map((name) => source[name]).find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof value === 'string' ? value.trim() : undefined
}

function connectionOf(source: Readonly<Record<string, unknown>>): Connection | undefined {
  const key = textAt(source, 'key', 'api_key', 'apiKey', 'token')
  const url = textAt(source, 'base_url', 'baseUrl', 'baseURL', 'url', 'endpoint')
  // A key that is a JSON document itself, as some vendors issue them, is not split.
  if (url === undefined || !address.test(url)) return undefined
  const name = textAt(source, 'name')
  const models = modelsOf(source['models'] ?? source['model'])
  return { address: url, ...(key && { key }), ...(name && { name }), ...(models && { models }) }
}

function ofCurl(text: string): Connection | undefined {
  const url = /https?:\/\/[^\s"'\\]+/i.exec(text)?.[0]
  if (url === undefined) return undefined
  const key = /(?:Bearer\s+|(?:x-)?(?:goog-)?api-key:\s*|[?&]key=)([^\s"'\\&]+)/i.exec(text)?.[1]
  const model = /"model"\s*:\s*"([^"]+)"/.exec(text)?.[1]
  const vendor = key === undefined ? undefined : /^\$\{?([A-Z][A-Z0-9]*)_/.exec(key)?.[1]?.toLowerCase()
  return {
    address: url,
    ...(key !== undefined && !isPlaceholder(key) && { key }),
    ...(vendor !== undefined && { vendor }),
    ...(model === undefined ? modelsIn(url) : { models: [model] }),
  }
}

/** Where a document says to put one's own key. */
const isPlaceholder = (key: string): boolean => /^[$<{[]|^(?:YOUR|MY)[_-]/i.test(key)

function modelsIn(address: string): Pick<Connection, 'models'> {
  const { model } = readAddress(address)
  return model === undefined ? {} : { models: [model] }
}

const partsOf = (text: string): string[] => text.split(/[,;\s]+/).filter((part) => part !== '')

function modelsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return partsOf(value)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}
