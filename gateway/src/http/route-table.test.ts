import { expect, test } from 'bun:test'

import { route, type Access, type Method } from '@tollgate/contract'
import { z } from 'zod'

import { handler } from './handler'
import { routeTable } from './route-table'

const at = (method: Method, path: `/api/${string}`, access: Access = 'user') =>
  handler(route({ method, path, access, summary: '', params: z.object({}) }), () => Promise.resolve(undefined))

test('the table puts fixed paths before parameters, whatever the order', () => {
  const table = routeTable([at('GET', '/api/user/{id}'), at('GET', '/api/user/self'), at('PUT', '/api/user/{id}')])
  expect(table.map(({ pattern }) => pattern)).toEqual(['/api/user/self', '/api/user/:id'])
  expect([...(table[1]?.handlers.keys() ?? [])]).toEqual(['GET', 'PUT'])
})

test('the table refuses a duplicate, also under another name', () => {
  expect(() => routeTable([at('GET', '/api/a'), at('GET', '/api/a')])).toThrow('two handlers')
  expect(() => routeTable([at('GET', '/api/{a}'), at('PUT', '/api/{b}')])).toThrow('differently')
})

test('the table refuses a route that does not say who may call it', () => {
  const open = at('GET', '/api/a')
  const undeclared = { ...open, route: { ...open.route, access: undefined as unknown as Access } }
  expect(() => routeTable([undeclared])).toThrow('does not say who may call it')
})
