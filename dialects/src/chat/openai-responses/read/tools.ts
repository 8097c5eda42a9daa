import { createHash } from 'node:crypto'

import { isObject, type JsonObject } from '../../../core/json'
import type { BuiltInTool, FunctionTool, Tool, ToolChoice, ToolOrigin } from '../../../core/neutral/call'
import { flagOrNull, objectOf, objectsOf, textOf } from '../../../core/neutral/read'
import { freeTextTool } from '../../../core/shared/free-text'
import { clientTool, clientToolOfType } from '../client-tools'
import { dialectId } from '../name'

/** Beginnings of the types of the vendor's own tools, some of which are dated. */
const builtIn: readonly (readonly [prefix: string, tool: BuiltInTool])[] = [
  ['web_search', 'web-search'],
  ['file_search', 'file-search'],
  ['code_interpreter', 'code-execution'],
  ['image_generation', 'image-generation'],
]

const builtInOf = (type: string): BuiltInTool => builtIn.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'

/**
 * The declared tools. All that the client runs become functions: those of a namespace under a name that tells both, those of other
 * kinds under the name of the kind.
 */
export class DeclaredTools {
  readonly tools: Tool[] = []
  /** The names of functions, by what the client calls them. */
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #namespaces = new Map<string, string[]>()

  add(declared: readonly JsonObject[]): void {
    for (const tool of declared) {
      const type = textOf(tool['type'])
      const nested = objectsOf(tool['tools'])
      if (type !== 'function' && nested.length > 0) this.#addNamespace(tool, nested)
      else this.#add(tool, type)
    }
  }

  /** The name of the function that the client calls so; its own where nothing is declared. */
  nameOf(name: string, namespaceName = ''): string {
    const namespace = namespaceName === plainNamespace ? '' : namespaceName
    const known = this.#names.get(keyOf(name, namespace))
    if (known !== undefined) return known
    const alone = namespace === '' ? this.#namespaces.get(name) : undefined
    return alone?.length === 1 && alone[0] !== undefined ? alone[0] : qualifyName(name, namespace)
  }

  /** The names of all functions of a namespace. */
  namesIn(namespace: string): string[] {
    return [...this.#names].flatMap(([key, name]) => (key.startsWith(`${namespace}\n`) ? [name] : []))
  }

  #add(tool: JsonObject, type: string): void {
    const kind = clientTool(tool)
    if (kind !== null) {
      const schema = isObject(tool['parameters']) ? tool['parameters'] : kind.schema
      const described = { description: textOf(tool['description']) || kind.description, schema, isStrict: null }
      this.#declare({ type, name: type, declared: tool }, described)
    } else if (type === 'custom') this.#declare(originOf(tool, type), freeTextTool(tool))
    else if (type === 'function' || isFunction(tool)) this.#declare(originOf(tool, 'function'), functionOf(tool))
    else this.tools.push({ kind: 'built-in', tool: builtInOf(type), own: { dialect: dialectId, value: tool } })
  }

  #addNamespace(declared: JsonObject, nested: readonly JsonObject[]): void {
    const namespaceName = textOf(declared['name'])
    const namespace = namespaceName === plainNamespace ? {} : { namespace: namespaceName }
    for (const tool of nested) {
      const isCustom = tool['type'] === 'custom'
      const described = isCustom ? freeTextTool(tool) : functionOf(tool)
      const description = described.description || textOf(declared['description'])
      const origin = { type: isCustom ? 'custom' : 'function', name: textOf(tool['name']), ...namespace, declared }
      this.#declare(origin, { ...described, description })
    }
  }

  #declare(from: Omit<ToolOrigin, 'dialect'>, described: Described): void {
    const { name, namespace = '' } = from
    const key = keyOf(name, namespace)
    if (this.#names.has(key)) return
    const plain = qualifyName(name, namespace)
    // Two names may be the same once they are joined.
    const unique = this.#taken.has(plain) ? `${plain}_${hashOf(key)}` : plain
    this.#taken.add(unique)
    this.#names.set(key, unique)
    if (namespace !== '') {
      const names = this.#namespaces.get(name) ?? []
      names.push(unique)
      this.#namespaces.set(name, names)
    }
    const { description, schema, isStrict } = described
    const isPlain = from.type === 'function' && namespace === '' && from.declared['type'] === 'function'
    const origin = isPlain ? {} : { origin: { dialect: dialectId, ...from } }
    this.tools.push({ kind: 'function', name: unique, description, schema, isStrict, ...origin })
  }
}

type Described = Pick<FunctionTool, 'description' | 'schema' | 'isStrict'>

/** Codex's namespace of what has none. */
const plainNamespace = 'functions'
const keyOf = (name: string, namespace: string): string => `${namespace}\n${name}`
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

const qualifyName = (name: string, namespace: string): string =>
  namespace === '' ? name : namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`

const originOf = (declared: JsonObject, type: string) => ({ type, name: textOf(declared['name']), declared })

/** A kind that we do not know, but is declared as functions are: only the client can run it. */
const isFunction = (tool: JsonObject): boolean =>
  textOf(tool['name']) !== '' && isObject(tool['parameters'] ?? tool['input_schema'])

const functionOf = (tool: JsonObject): Described => ({
  description: textOf(tool['description']),
  schema: objectOf(tool['parameters'] ?? tool['input_schema']),
  isStrict: flagOrNull(tool['strict']),
})

const hostedNames: Readonly<Partial<Record<BuiltInTool, string>>> = {
  'web-search': 'web_search',
  'code-execution': 'code_execution',
}

/** What other dialects call a tool of this type that the vendor runs itself; empty where they have no name for it. */
export const hostedName = (type: string): string => hostedNames[builtInOf(type)] ?? ''

export function readToolChoice(choice: unknown, declared: DeclaredTools): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const chosen = objectOf(choice)
  if (chosen['type'] !== 'allowed_tools') {
    const [name, ...others] = namesOf(chosen, declared)
    if (name === undefined) return null
    return others.length === 0 ? { kind: 'tool', name } : { kind: 'required', among: [name, ...others] }
  }
  if (chosen['mode'] !== 'required') return { kind: 'auto' }
  const among = objectsOf(chosen['tools']).flatMap((tool) => namesOf(tool, declared))
  return { kind: 'required', ...(among.length > 0 && { among }) }
}

function namesOf(chosen: JsonObject, declared: DeclaredTools): string[] {
  const type = textOf(chosen['type'])
  const name = textOf(chosen['name'])
  if (type === 'namespace') return declared.namesIn(name)
  if (name !== '' && type !== 'mcp') return [declared.nameOf(name, textOf(chosen['namespace']))]
  const named = clientToolOfType(type) ? declared.nameOf(type) : hostedName(type)
  return named === '' ? [] : [named]
}
