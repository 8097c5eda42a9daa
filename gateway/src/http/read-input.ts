import type { Route, RouteInput } from '@tollgate/contract'
import type { z } from 'zod'

import { AppError } from '../app-error'
import { longestBody, readJson, type BodyLimits } from './read-body'
import { checkTexts } from './check-texts'
import { strict } from './strict'

/**
 * What a handler gets: path, query and body as the route describes them.
 * @throws AppError `input.invalid` naming the first field that is wrong, `body.malformed`, `body.too_large`, `body.slow`.
 */
export async function readInput(
  route: Route,
  request: Request,
  pathParameters: Record<string, string>,
  limits: BodyLimits,
): Promise<RouteInput<Route>> {
  const params = route.params ? parsed(route.params, pathParameters) : {}
  const query = route.query ? parsed(route.query, queryOf(request)) : {}
  const body = route.body ? parsed(strict(route.body), await givenBody(route, request, limits)) : undefined
  return { params, query, body } as RouteInput<Route>
}

async function givenBody({ access }: Route, request: Request, limits: BodyLimits): Promise<unknown> {
  const body = await readJson(request, longestBody(access), limits)
  if (body === undefined) throw new AppError('body.malformed')
  return body
}

/** Of a repeated name the last value counts. */
const queryOf = (request: Request) => Object.fromEntries(new URL(request.url).searchParams)

function parsed(schema: z.ZodType, value: unknown): unknown {
  checkTexts(value)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('input.invalid', { params: { detail: faultOf(result.error) } })
}

const longestDetail = 200

function faultOf(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return ''
  if (issue.code === 'unrecognized_keys') return [...issue.path, issue.keys[0]].join('.').slice(0, longestDetail)
  const place = issue.path.join('.') || 'body'
  return `${place}: ${issue.message}`.slice(0, longestDetail)
}
