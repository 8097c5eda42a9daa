import type { Wire } from '../wire'

const types: ReadonlyMap<number, string> = new Map([
  [400, 'ValidationException'],
  [401, 'UnrecognizedClientException'],
  [403, 'AccessDeniedException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [424, 'ModelErrorException'],
  [429, 'ThrottlingException'],
  [500, 'InternalServerException'],
  [503, 'ServiceUnavailableException'],
  [529, 'ServiceUnavailableException'],
])

const typeOf = (status: number): string =>
  types.get(status) ?? (status < 500 ? 'ValidationException' : 'InternalServerException')

/** The name of an exception begins with a small letter inside a stream. */
const nameOf = (status: number): string => typeOf(status).replace(/^./, (letter) => letter.toLowerCase())

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html */
export const bedrockWire: Wire = {
  errorBody: (_status, { message }) => ({ message }),
  errorHeaders: (status) => ({ 'x-amzn-ErrorType': `${typeOf(status)}:http://internal.amazon.com/` }),
  errorEvent: (status, { message }) => ({
    name: nameOf(status),
    data: JSON.stringify({ message }),
    isException: true,
  }),
}
