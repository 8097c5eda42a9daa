import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml'

import { sentence } from '../../http/language'
import { checkedValue } from '../../http/request/checked-value'
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
}

/** Parses the text of a file. @throws CommandError with the line and the path of the first fault. */
export function readSiteFile(name: string, text: string, { environment }: Pick<CommandWorld, 'environment'>): ReadFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true })
  const [fault] = document.errors
  if (fault) throw new CommandError(`${name}:${lines.linePos(fault.pos[0]).line}: ${fault.message.split('\n')[0]}`)
  const faultAt = (path: Path, reason: string): CommandError => {
    const line = lineOf(path)
    return new CommandError(`${name}${line === undefined ? '' : `:${line}`}: ${path.map(String).join('.')}: ${reason}`)
  }
  const unset: Missing[] = []
  const value: unknown = fillPlaceholders(document.toJS() ?? {}, environment, (missing) => {
    if (isSecretPlace(missing.path) === null) throw faultAt(missing.path, unsetSentence(missing.name))
    unset.push(missing)
  })
  const parsed = SiteFile.safeParse(value)
  if (parsed.success) return { site: parsed.data, unset, faultAt }
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

/** Returns where a member begins, with its name where it has one. */
function startOf(document: Document.Parsed, path: Path): number | undefined {
  const around: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const name = path.at(-1)
  const pair = isMap(around) ? around.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
  const node: unknown = pair ? pair.key : document.getIn(path, true)
  return isNode(node) ? node.range?.[0] : undefined
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
