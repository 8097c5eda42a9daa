import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml'

import { sentence } from '../../http/language'
import { checkedValue } from '../../http/request/checked-value'
import { hidden } from '../../platform/telemetry/log/redact'
import { messageOf } from '../../platform/text/message-of'
import { CommandError, type CommandWorld } from '../commands/command'
import { fillPlaceholders, unsetSentence, type Missing } from './placeholders'
import { isSecretPlace, type Path } from './secret-places'
import { SiteFile } from './site-file'

/** A file that was read, and where in it everything stands. */
export interface ReadFile {
  readonly site: SiteFile
  /** Variables of parts of a channel’s addresses and texts; what is stored stays. */
  readonly unset: readonly Missing[]
  /** Returns an error that names the line of a path, or of what is around it. */
  readonly faultAt: (path: Path, reason: string) => CommandError
  /** Returns a text without the values of variables in it, which may be secrets wherever they stand. */
  readonly withoutSecrets: (text: string) => string
}

/** Parses the text of a file. @throws CommandError with the line and the path of the first fault. */
export function readSiteFile(name: string, text: string, { environment }: Pick<CommandWorld, 'environment'>): ReadFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, resolveKnownTags: false })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw new CommandError(`${name}:${lines.linePos(fault.pos[0]).line}: ${fault.message.split('\n')[0]}`)
  requireTree(document, (node, reason) => {
    const [start] = node.range ?? [0]
    return new CommandError(`${name}:${lines.linePos(start).line}: ${reason}`)
  })
  const faultAt = (path: Path, reason: string): CommandError => {
    const line = lineOf(path)
    return new CommandError(`${name}${line === undefined ? '' : `:${line}`}: ${path.map(String).join('.')}: ${reason}`)
  }
  const unset: Missing[] = []
  const used = new Set<string>()
  const value: unknown = fillPlaceholders(valueOf(document, name), environment, {
    use: (variable) => void used.add(variable),
    report(missing) {
      if (isSecretPlace(missing.path) === null) throw faultAt(missing.path, unsetSentence(missing.name))
      unset.push(missing)
    },
  })
  const parsed = SiteFile.safeParse(value)
  if (parsed.success) return { site: parsed.data, unset, faultAt, withoutSecrets: hiding(used) }
  const path = deepestPath(parsed.error.issues[0])
  const checked = checkedValue(SiteFile, value)
  const reason = 'fault' in checked ? sentence(checked.fault.code, checked.fault.params ?? {}, 'en') : 'is not valid'
  // A sentence that begins with the place would name it twice.
  throw faultAt(path, reason.startsWith(`${path.join('.')} `) ? reason.slice(path.join('.').length + 1) : reason)

  function lineOf(path: Path): number | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = startOf(document, path.slice(0, length))
      if (offset !== undefined) return lines.linePos(offset).line
    }
    return undefined
  }
}

/** Refuses what does not form a tree of names and values. `faultOf`: returns an error with the line of a node. @throws that error. */
function requireTree(document: Document.Parsed, faultOf: (node: Node, reason: string) => CommandError): void {
  visit(document, {
    Alias(_, alias, path) {
      const target = alias.resolve(document)
      if (!target) throw faultOf(alias, `*${alias.source}: there is no such anchor before it`)
      if (path.includes(target)) throw faultOf(alias, `*${alias.source}: contains itself`)
    },
    Pair(_, { key }) {
      if (isNode(key) && !isScalar(key)) throw faultOf(key, 'a name must be text')
      // No object has a member of this name.
      if (isScalar(key) && key.value === '__proto__') throw faultOf(key, '__proto__ cannot be a name')
    },
  })
}

/** @throws CommandError for anchors that are repeated within one another. */
function valueOf(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS() ?? {}
  } catch (cause) {
    throw new CommandError(`${name}: ${messageOf(cause)}`, { cause })
  }
}

/** Shorter values are words of their own, and no secrets. */
const minSecretLength = 4

function hiding(values: ReadonlySet<string>): (text: string) => string {
  const secrets = [...values].filter((value) => value.length >= minSecretLength).sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text)
}

/** Returns where a member begins, with its name where it has one. Names may be numbers in the file. */
function startOf(document: Document.Parsed, path: Path): number | undefined {
  let node: unknown = document.contents
  let found: unknown = node
  for (const name of path) {
    const around = isAlias(node) ? node.resolve(document) : node
    if (isMap(around)) {
      const pair = around.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      found = pair?.key
      node = pair?.value
    } else found = node = isSeq(around) ? around.items[Number(name)] : undefined
  }
  return isNode(found) ? found.range?.[0] : undefined
}

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly issues?: readonly Issue[]
}

/** Returns the place of a fault; of an unknown member that of the member itself. */
function deepestPath(issue: Issue | undefined): Path {
  if (!issue) return []
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code === 'unrecognized_keys') return [...path, issue.keys?.[0] ?? '']
  return path
}
