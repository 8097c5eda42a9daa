/** The request is not what the vendor takes: answered with an error as the dialect writes it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly type = 'invalid_request_error',
    readonly code: string | null = null,
  ) {
    super(message)
  }
}
