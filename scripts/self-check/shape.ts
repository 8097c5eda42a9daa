import { isObject } from '../../dialects/src/index'

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** The kinds of values at each path, such as `choices[].message.content`. Null counts as nothing: vendors write it for what they leave out. */
export type Shape = ReadonlyMap<string, ReadonlySet<Kind>>

/** Returns the shape that several values have together. */
export function shapeOf(values: readonly unknown[]): Shape {
  const shape = new Map<string, Set<Kind>>()
  for (const value of values) addShape(shape, '', value)
  return shape
}

function addShape(shape: Map<string, Set<Kind>>, path: string, value: unknown): void {
  const kind = kindOf(value)
  if (kind === null) return
  shape.set(path, (shape.get(path) ?? new Set()).add(kind))
  if (Array.isArray(value)) for (const item of value) addShape(shape, `${path}[]`, item)
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) addShape(shape, path === '' ? name : `${path}.${name}`, member)
}

function kindOf(value: unknown): Kind | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

/** How a shape differs from a known one. */
export interface ShapeDifference {
  /** Paths whose values are of another kind, with both. */
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly added: readonly string[]
}

/** Returns how `found` differs from `known`. Below a path that is missing or new, paths are not listed. */
export function compareShapes(known: Shape, found: Shape): ShapeDifference {
  const changed = [...known].flatMap(([path, kinds]) => {
    const now = found.get(path)
    return now === undefined || [...now].some((kind) => kinds.has(kind))
      ? []
      : [`${path}: ${words(kinds)} is ${words(now)}`]
  })
  return { changed, missing: outermost(known, found), added: outermost(found, known) }
}

const words = (kinds: ReadonlySet<Kind>): string => [...kinds].join(' or ')

const outermost = (one: Shape, other: Shape): string[] =>
  [...one.keys()].filter((path) => !other.has(path) && other.has(parentOf(path)))

/** The whole value is there on both sides. */
const parentOf = (path: string): string => path.replace(/(?:\[\]|(?:^|\.)[^.[]+)$/, '')
