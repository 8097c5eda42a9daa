import type { ErrorView } from '../views'

/** What the names of errors mean, in the dialects that name them. */
const namesByStatus: Readonly<Record<number, readonly string[]>> = {
  400: [
    'invalid_request_error',
    'invalid_request',
    'bad_request',
    'BadRequestError',
    'INVALID_ARGUMENT',
    'FAILED_PRECONDITION',
    'OUT_OF_RANGE',
    'ValidationException',
    'invalid_prompt',
    'invalid_value',
    'invalid_type',
    'missing_required_parameter',
    'unknown_parameter',
    'unsupported_parameter',
    'unsupported_value',
    'integer_below_min_value',
    'integer_above_max_value',
    'string_above_max_length',
    'array_above_max_length',
    'context_length_exceeded',
    'ContextWindowExceededError',
    'exceed_context_size_error',
    'context_window_exceeded',
    'tokens_limit_reached',
    'previous_response_not_found',
    'invalid_encrypted_content',
    // Content that the vendor refuses.
    'content_filter',
    'content_policy_violation',
    'ContentPolicyViolationError',
    'ResponsibleAIPolicyViolation',
    'moderation_blocked',
    'image_generation_user_error',
    'data_inspection_failed',
    'DataInspectionFailed',
    'SensitiveContentDetected',
    'sensitive_words_detected',
    'image_content_policy_violation',
    // Pictures that it cannot use.
    'invalid_image',
    'invalid_image_format',
    'invalid_base64_image',
    'invalid_image_url',
    'image_too_large',
    'image_too_small',
    'image_parse_error',
    'invalid_image_mode',
    'image_file_too_large',
    'unsupported_image_media_type',
    'empty_image_file',
    'failed_to_download_image',
    'image_file_not_found',
  ],
  401: [
    'authentication_error',
    'AuthenticationError',
    'UNAUTHENTICATED',
    'invalid_api_key',
    'invalid_authentication_error',
    'incorrect_api_key_error',
    'UnrecognizedClientException',
  ],
  402: ['billing_error', 'billing_hard_limit_reached', 'billing_not_active'],
  403: [
    'permission_error',
    'permission_denied',
    'permission_denied_error',
    'PermissionDeniedError',
    'PERMISSION_DENIED',
    'AccessDeniedException',
  ],
  404: [
    'not_found_error',
    'NotFoundError',
    'NOT_FOUND',
    'model_not_found',
    'resource_not_found_error',
    'ResourceNotFoundException',
  ],
  413: ['request_too_large'],
  422: ['unprocessable_entity', 'UnprocessableEntityError'],
  429: [
    'insufficient_quota',
    'rate_limit_error',
    'rate_limit_exceeded',
    'rate_limit_reached_error',
    'exceeded_current_quota_error',
    'engine_overloaded_error',
    'RateLimitError',
    'too_many_requests',
    'RESOURCE_EXHAUSTED',
    'ThrottlingException',
    'ServiceQuotaExceededException',
  ],
  500: ['api_error', 'server_error', 'internal_server_error', 'InternalServerError', 'INTERNAL'],
  503: [
    'service_unavailable',
    'server_is_overloaded',
    'slow_down',
    'model_overloaded',
    'overloaded',
    'ServiceUnavailableError',
    'UNAVAILABLE',
    'ServiceUnavailableException',
  ],
  504: ['timeout_error', 'DEADLINE_EXCEEDED', 'ModelTimeoutException'],
  529: ['overloaded_error'],
}

/** Hosts write the same names in capitals as well. */
const byName: ReadonlyMap<string, number> = new Map(
  Object.entries(namesByStatus).flatMap(([status, names]) =>
    names.map((name) => [name.toLowerCase(), Number(status)] as const),
  ),
)

const statusNamed = (name: string): number | undefined => byName.get(name.toLowerCase())

/** Codes that are statuses themselves. Vendors' own numbers lie outside, or in their descriptions. */
const ownStatus = /^[45]\d\d$/

/** The HTTP status of an error that came with a good one; null when its name tells nothing. The code is more exact than the type. */
export const errorStatus = ({ status, type, code }: ErrorView): number | null =>
  status ?? statusNamed(code) ?? (ownStatus.test(code) ? Number(code) : null) ?? statusNamed(type) ?? null
