import type { NamedError } from '../behaviour'
import type { JsonObject } from '../json'
import type { Wire } from '../wire'

/** https://platform.claude.com/docs/en/api/errors */
const types: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

const requestId = 'req_sim'

const errorBody = (status: number, { message }: NamedError): JsonObject => ({
  type: 'error',
  error: { type: types.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message },
  request_id: requestId,
})

export const anthropicWire: Wire = {
  errorBody,
  errorEvent: (status, error) => ({ name: 'error', data: JSON.stringify(errorBody(status, error)) }),
  errorHeaders: () => ({ 'request-id': requestId }),
}
