import type { Wire } from '../wire'

const statuses: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [529, 'UNAVAILABLE'],
])

/** Errors of Google's APIs. https://google.aip.dev/193 */
export const geminiWire: Wire = {
  errorBody: (status, { message }) => ({
    error: {
      code: status,
      message,
      status: statuses.get(status) ?? (status < 500 ? 'FAILED_PRECONDITION' : 'INTERNAL'),
    },
  }),
}
