import { isContentRefusalText, isTooLongText } from '@tollgate/providers'

import type { UpstreamError } from './upstream-error'

/** Codes and types by which vendors say that they do not answer a content. */
const contentCodes: ReadonlySet<string> = new Set(
  [
    'content_filter',
    'content_policy_violation',
    'ContentPolicyViolationError',
    'ResponsibleAIPolicyViolation',
    'moderation_blocked',
    'image_content_policy_violation',
    'data_inspection_failed',
    'DataInspectionFailed',
    'SensitiveContentDetected',
    'sensitive_words_detected',
    'invalid_prompt',
  ].map((code) => code.toLowerCase()),
)

/** Codes and types by which vendors say that a prompt is longer than the window of the model. */
const lengthCodes: ReadonlySet<string> = new Set(
  [
    'context_length_exceeded',
    'ContextWindowExceededError',
    'exceed_context_size_error',
    'context_window_exceeded',
    'tokens_limit_reached',
    'request_too_large',
  ].map((code) => code.toLowerCase()),
)

const isNamed = ({ code, type }: UpstreamError, names: ReadonlySet<string>): boolean =>
  names.has(code.toLowerCase()) || names.has(type.toLowerCase())

/** Statuses with which vendors refuse what a request contains. */
const requestStatuses: ReadonlySet<number> = new Set([400, 403, 413, 422, 451])

const isOfRequest = ({ fault, status }: UpstreamError): boolean => fault === 'refused' && requestStatuses.has(status)

/** Returns whether the vendor refuses what the prompt, or the answer to it, says. */
export const isContentRefusal = (error: UpstreamError): boolean =>
  isOfRequest(error) &&
  (isNamed(error, contentCodes) || isContentRefusalText((pattern) => matchesOwnWords(error, pattern)))

/** Returns whether the prompt is longer than the model's window. */
export const isTooLong = (error: UpstreamError): boolean =>
  isOfRequest(error) && (isNamed(error, lengthCodes) || isTooLongText((pattern) => matchesOwnWords(error, pattern)))

/** What the vendor quotes may be the caller's words. */
const matchesOwnWords = ({ unquoted }: UpstreamError, pattern: Pick<RegExp, 'test'>): boolean =>
  unquoted.some((text) => pattern.test(text))
