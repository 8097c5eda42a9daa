import { accountErrors } from './account-errors'
import { callErrors } from './call-errors'
import { lastingErrors } from './lasting-errors'
import { operationErrors } from './operation-errors'
import { saleErrors } from './sale-errors'

const allFamilies = () =>
  ({
    ...accountErrors,
    ...callErrors,
    ...lastingErrors,
    ...operationErrors,
    ...saleErrors,
  }) as const satisfies Record<string, number>

/**
 * Every error that a person or a program can receive, by machine-readable code, with its HTTP status. The sentences are in the gateway's
 * locales, one for each code and language. Status 200 marks a business failure: the envelope says `success: false`.
 */
// The console uses none of it, and a builder leaves out pure calls, but no spread.
export const errorCodes = /* @__PURE__ */ allFamilies()

export type ErrorCode = keyof typeof errorCodes

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text)

/** Returns the message of a schema's own check that is refused with this error, not as part of a sentence about the input. */
export const refusedAs = (code: ErrorCode): string => code

/** Returns the HTTP status of an error. */
export const statusOf = (code: ErrorCode): number => errorCodes[code]
