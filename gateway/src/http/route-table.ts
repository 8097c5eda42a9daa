import { isGrant, isOwnScope, type Access, type Method, type Route } from '@tollgate/contract'

import type { Handler } from './handler'

/** All methods of one path. */
export interface PathEntry {
  /** As Hono writes it: `/api/user/:id`. */
  readonly pattern: string
  readonly handlers: ReadonlyMap<string, Handler>
}

const openAccesses: ReadonlySet<string> = new Set(['guest', 'optional', 'user'])

function isDeclared(access: Access): boolean {
  const named: readonly string[] = [access].flat()
  const [first = ''] = named
  if (named.length === 1 && (openAccesses.has(first) || isOwnScope(first))) return true
  return named.length > 0 && named.every(isGrant)
}

/**
 * Returns the handlers by path, fixed paths before those with parameters.
 * @throws Error for a route that does not say who may call it, a duplicate, or one shape with two sets of names.
 */
export function routeTable(handlers: readonly Handler[]): readonly PathEntry[] {
  const paths = new Map<string, { pattern: string; handlers: Map<Method, Handler> }>()
  for (const handler of handlers) {
    const { route } = handler
    checkRoute(route)
    const pattern = route.path.replace(/\{(\w+)\}/g, ':$1')
    const shape = shapeOf(route.path)
    const entry = paths.get(shape) ?? { pattern, handlers: new Map<Method, Handler>() }
    if (entry.pattern !== pattern) throw new Error(`${pattern} and ${entry.pattern} name one path differently`)
    if (entry.handlers.has(route.method)) throw new Error(`${route.method} ${route.path} has two handlers`)
    entry.handlers.set(route.method, handler)
    paths.set(shape, entry)
  }
  return [...paths].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
}

/** Returns whether a route changes anything. */
export const isWriteRoute = ({ isWrite, method }: Route): boolean => isWrite ?? method !== 'GET'

function checkRoute({ method, path, access }: Route) {
  if (!isDeclared(access)) throw new Error(`${method} ${path} does not say who may call it`)
  if (path.endsWith('/')) throw new Error(`${method} ${path} must not end with a slash`)
}

/** Returns the path without the names of its parameters; sorts a parameter after every fixed segment. */
const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '\u{10ffff}')
