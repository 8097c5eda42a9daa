import { isErrorCode, type Route, type RouteInput, type Phrase, type PhraseCode } from '@tollgate/contract'
import type { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { BodyDeps } from './body-time'
import { maxBodyBytes, readJson } from './read-body'
import { checkedValue } from './checked-value'
import { strict } from './strict'

/**
 * Resolves with a handler's input: path, query and body as the route describes them.
 * @throws AppError `input.invalid` naming the first field that is wrong, or the error of that field where it has one, `body.malformed`, `body.too_large`, `body.slow`.
 */
export async function readInput(
  route: Route,
  request: Request,
  pathParameters: Record<string, string>,
  deps: BodyDeps,
): Promise<RouteInput<Route>> {
  const params = route.params ? parseInput(route.params, pathParameters) : {}
  const query = route.query ? parseInput(route.query, queryOf(request)) : {}
  const body = route.body ? parseInput(strict(route.body), await requireBody(route, request, deps)) : undefined
  return { params, query, body } as RouteInput<Route>
}

async function requireBody(route: Route, request: Request, deps: BodyDeps): Promise<unknown> {
  const body = await readJson(request, maxBodyBytes(route), deps)
  if (body === undefined) throw new AppError('body.malformed')
  return body
}

/** The last value of a repeated name counts. */
const queryOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams)

function parseInput(schema: z.ZodType, value: unknown): unknown {
  checkTexts(value)
  const checked = checkedValue(schema, value, 'body')
  if ('value' in checked) return checked.value
  const { code } = checked.fault
  throw isErrorCode(code) ? new AppError(code) : new AppError('input.invalid', { params: { detail: checked.fault } })
}

const maxDepth = 64
const maxPlaceLength = 50

/**
 * Refuses what no field may hold: strings with the character NUL, which one of our databases cannot store, and nesting so deep that
 * walking it would exhaust the stack.
 * @throws AppError `input.invalid` naming the field.
 */
function checkTexts(root: unknown): void {
  const fault = faultIn(root, 0)
  if (!fault) return
  const place = fault.names.join('.').slice(0, maxPlaceLength) || 'body'
  const detail: Phrase = { code: 'reason.at', params: { place, reason: { code: fault.reason } } }
  throw new AppError('input.invalid', { params: { detail } })
}

interface Fault {
  /** The path to the fault, filled on the way back: nothing is recorded for valid parts. */
  readonly names: string[]
  readonly reason: PhraseCode
}

function faultIn(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return value.includes('\0') ? { names: [], reason: 'reason.null_character' } : null
  if (typeof value !== 'object' || value === null) return null
  if (depth === maxDepth) return { names: [], reason: 'reason.too_deep' }
  for (const name in value) {
    if (name.includes('\0')) return { names: [], reason: 'reason.null_character' }
    const fault = faultIn(Reflect.get(value, name), depth + 1)
    if (!fault) continue
    fault.names.unshift(name)
    return fault
  }
  return null
}
