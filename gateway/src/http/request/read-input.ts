import { isErrorCode, type Route, type RouteInput } from '@tollgate/contract'
import type { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { BodyDeps } from './body-time'
import { maxBodyBytes, readJson } from './read-body'
import { checkTexts } from './check-texts'
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
  const params = route.params ? parsed(route.params, pathParameters) : {}
  const query = route.query ? parsed(route.query, queryOf(request)) : {}
  const body = route.body ? parsed(strict(route.body), await givenBody(route, request, deps)) : undefined
  return { params, query, body } as RouteInput<Route>
}

async function givenBody(route: Route, request: Request, deps: BodyDeps): Promise<unknown> {
  const body = await readJson(request, maxBodyBytes(route), deps)
  if (body === undefined) throw new AppError('body.malformed')
  return body
}

/** The last value of a repeated name counts. */
const queryOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams)

function parsed(schema: z.ZodType, value: unknown): unknown {
  checkTexts(value)
  const checked = checkedValue(schema, value, 'body')
  if ('value' in checked) return checked.value
  const { code } = checked.fault
  throw isErrorCode(code) ? new AppError(code) : new AppError('input.invalid', { params: { detail: checked.fault } })
}
