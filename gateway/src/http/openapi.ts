import { idempotencyKeyHeader, stepUpHeader, userIdHeader, type Route } from '@tollgate/contract'
import { z } from 'zod'

import { version } from '../platform/config/version'
import { isKeyed } from './once-per-key'
import { strict } from './request/strict'

/** Returns the OpenAPI description of the routes, derived from their schemas. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version },
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: `Needs the header ${userIdHeader} too.`,
        },
        accessToken: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operationOf(route: Route): object {
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.path.split('/')[2] ?? 'api'],
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.stepUp ? [stepUpParameter] : []),
      ...(route.access !== 'guest' && isKeyed(route) ? [keyParameter] : []),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(strict(route.body), 'input') } },
      },
    }),
    responses: {
      200: {
        description: route.media
          ? 'The file, or the envelope of a business failure.'
          : 'The envelope; `success` is false for a business failure.',
        content: {
          ...(route.media && { [route.media]: { schema: { type: 'string' } } }),
          'application/json': { schema: envelopeOf(route) },
        },
      },
    },
  }
}

const stepUpParameter = {
  name: stepUpHeader,
  in: 'header',
  required: false,
  description: 'The proof that POST /api/user/step_up answers; `auth.step_up` is answered where it is missing.',
  schema: { type: 'string' },
}

const keyParameter = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'Of the caller’s choice: for a day a repeated call with the same key gets the result of the first, and does nothing.',
  schema: { type: 'string', minLength: 8, maxLength: 255 },
}

const operationId = ({ method, path }: Route) =>
  [method.toLowerCase(), ...path.split(/[/{}_-]+/).filter((part) => part !== '' && part !== 'api')]
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')

function securityOf({ access }: Route): object[] {
  if (access === 'guest') return []
  const anySign = [{ session: [] }, { accessToken: [] }]
  return access === 'optional' ? [{}, ...anySign] : anySign
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, parameter]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: parameter,
  }))
}

function envelopeOf({ data, envelopeFields }: Route): object {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      message: { type: 'string' },
      code: { type: 'string' },
      request_id: { type: 'string' },
      ...(data && { data: schemaOf(data, 'output') }),
      ...(envelopeFields && schemaOf(envelopeFields, 'output').properties),
    },
    required: ['success', 'message'],
  }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}
