import { expect, test } from 'bun:test'

import { upstreamRequestId } from './call-log'

const idIn = (headers: Record<string, string>) => upstreamRequestId(new Headers(headers))

test.each([
  ['x-request-id', 'req_1'],
  ['request-id', 'req_2'],
  ['x-amzn-requestid', '8f1c-3'],
])('the upstream’s own request id is read from %s', (name, id) => {
  expect(idIn({ [name]: id })).toBe(id)
})

test.each([
  ['missing', {}],
  ['blank', { 'x-request-id': ' ' }],
  ['too long', { 'x-request-id': 'x'.repeat(129) }],
  ['more than one word', { 'x-request-id': 'not an id' }],
])('an upstream request id that is %s is left out', (_name, headers) => {
  expect(idIn(headers)).toBeUndefined()
})
