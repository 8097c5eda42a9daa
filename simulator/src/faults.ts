import type { Behaviour, Fault } from './behaviour'

const status = (status: number, type: string, code: string | null, headers?: Record<string, string>): Behaviour => ({
  fault: { kind: 'status', status, headers, error: { message: `Simulated upstream error ${status}`, type, code } },
})

/** Every fault by its name: ask for one with the model or the key `sim-fault-<name>`, or with `fault=<name>`. */
export const faults = {
  'status-400': status(400, 'invalid_request_error', 'bad_value'),
  'status-401': status(401, 'authentication_error', 'invalid_api_key'),
  'status-402': status(402, 'insufficient_quota', 'insufficient_quota'),
  'status-403': status(403, 'permission_error', null),
  'status-404': status(404, 'invalid_request_error', 'model_not_found'),
  'status-408': status(408, 'timeout', null),
  'status-413': status(413, 'invalid_request_error', null),
  'status-429': status(429, 'rate_limit_error', 'rate_limit_exceeded', { 'Retry-After': '1' }),
  'status-429-absurd': status(429, 'rate_limit_error', 'rate_limit_exceeded', { 'Retry-After': '1000000000' }),
  'status-500': status(500, 'server_error', null),
  'status-502': status(502, 'server_error', null),
  'status-503': status(503, 'server_error', 'overloaded'),
  'status-504': status(504, 'timeout', null),
  'status-524': status(524, 'timeout', null),
  'status-500-html': {
    fault: { kind: 'status', status: 500, body: '<html><body>Internal error</body></html>', headers: html() },
  },
  'status-500-empty': { fault: { kind: 'status', status: 500, body: '' } },
  'status-500-text': { fault: { kind: 'status', status: 500, body: { error: 'something broke' } } },
  'status-500-message': { fault: { kind: 'status', status: 500, body: { message: 'something broke', code: 7 } } },
  'error-in-200': { fault: { kind: 'error-in-200' } },
  'error-after-frames': { fault: { kind: 'error-in-200', afterFrames: 3 } },
  'error-after-start': { fault: { kind: 'error-in-200', afterFrames: 'start-up' } },
  'code-in-200': object({ code: 500, message: 'Simulated failure' }),
  'unsuccessful-200': object({ success: false, msg: 'Simulated failure' }),
  'base-resp-200': object({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' }, choices: null }),
  'error-code-200': object({ error_code: 336_100, error_msg: 'Simulated failure' }),
  'nothing-in-200': object({ id: 'x', object: 'chat.completion', created: 1, model: 'm' }),
  'malformed-json': { fault: { kind: 'body', contentType: 'application/json', text: '{"id":"x","choices":[}' } },
  'html-200': { fault: { kind: 'body', contentType: 'text/html', text: '<!doctype html><title>Sign in</title>' } },
  'empty-200': { fault: { kind: 'body', contentType: 'application/json', text: '' } },
  'null-200': { fault: { kind: 'body', contentType: 'application/json', text: 'null' } },
  'array-200': { fault: { kind: 'body', contentType: 'application/json', text: '[]' } },
  'endless-body': { fault: { kind: 'flood', contentType: 'application/json', text: '{"id":"x"', megabytes: 80 } },
  'endless-line': { fault: { kind: 'flood', contentType: 'text/event-stream', text: 'data: {', megabytes: 80 } },
  'gzip-bomb': {
    fault: { kind: 'flood', contentType: 'text/event-stream', text: 'data: {', megabytes: 100, isPacked: true },
  },
  redirect: { fault: { kind: 'status', status: 302, body: '', headers: { Location: '/v1/chat/completions' } } },
  'no-http': { fault: { kind: 'raw', text: 'SSH-2.0-OpenSSH_9.6\r\n' } },
  'two-lengths': { fault: raw('Content-Length: 2\r\nContent-Length: 3', '{}') },
  'no-colon': { fault: raw('Content-Length: 2\r\nServer', '{}') },
  'bad-chunk': { fault: raw('Transfer-Encoding: chunked', 'zz\r\n{}') },
  'bad-gzip': { fault: raw('Content-Encoding: gzip\r\nContent-Length: 2', '{}') },
  'truncated-json': { fault: { kind: 'truncated' } },
  'malformed-frame': { fault: { kind: 'malformed-frame', afterFrames: 3 } },
  'reset-before-headers': { fault: { kind: 'reset', when: 'before-headers' } },
  'reset-after-headers': { fault: { kind: 'reset', when: 'after-headers' } },
  'reset-mid-body': { fault: { kind: 'reset', when: { afterFrames: 1 } } },
  'reset-mid-stream': { fault: { kind: 'reset', when: { afterFrames: 3 } } },
  'cut-mid-stream': { fault: { kind: 'cut', afterFrames: 3 } },
  'cut-mid-body': { fault: { kind: 'cut', afterFrames: 1 } },
  'cut-after-start': { fault: { kind: 'cut', afterFrames: 'start-up' } },
  'reset-after-start': { fault: { kind: 'reset', when: { afterFrames: 'start-up' } } },
  'stall-after-start': { fault: { kind: 'stall', when: { afterFrames: 'start-up' } } },
  'stall-before-headers': { fault: { kind: 'stall', when: 'before-headers' } },
  'stall-after-headers': { fault: { kind: 'stall', when: 'after-headers' } },
  'stall-mid-stream': { fault: { kind: 'stall', when: { afterFrames: 3 } } },
  'slow-drip': { drip: 1 },
  'no-usage': { usage: 'none' },
  'duplicate-usage': { usage: 'duplicate' },
  'usage-every-chunk': { usage: 'every-chunk' },
  'usage-last-choice': { usage: 'last-choice' },
  'usage-negative': { usageOverride: { prompt_tokens: -5, completion_tokens: -7, total_tokens: -12 } },
  'usage-huge': { usageOverride: { prompt_tokens: 1e18, completion_tokens: 1e18, total_tokens: 2e18 } },
  'usage-text': { usageOverride: { prompt_tokens: '12', completion_tokens: 'many', total_tokens: null } },
  'usage-fraction': { usageOverride: { prompt_tokens: 1.5, completion_tokens: 2.5, total_tokens: 4 } },
  'usage-null': { usageOverride: null },
  'usage-list': { usageOverride: [1, 2, 3] },
  'usage-prompt-only': { usageOverride: { prompt_tokens: 100 } },
  'usage-completion-only': { usageOverride: { completion_tokens: 50 } },
  'usage-completion-zero': { usageOverride: { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 } },
  'usage-sum-differs': { usageOverride: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 550 } },
  'usage-zero': { usageOverride: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
  'usage-impossible': {
    usageOverride: { prompt_tokens: 2 ** 29, completion_tokens: 2 ** 29, total_tokens: 2 ** 30 },
  },
  'no-done': { done: false },
  'huge-frame': { hugeFrame: 8 * 1024 * 1024 },
  'split-frames': { splitAt: 1 },
  'joined-frames': { joinFrames: 1000 },
  crlf: { crlf: true },
  comments: { comments: true },
  gzip: { gzip: true },
  'unknown-fields': { unknownFields: true },
} as const satisfies Record<string, Behaviour>

export type FaultName = keyof typeof faults

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(faults, name)

function raw(headers: string, body: string): Fault {
  return { kind: 'raw', text: `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${headers}\r\n\r\n${body}` }
}

function html(): Record<string, string> {
  return { 'Content-Type': 'text/html' }
}

function object(object: unknown): { fault: Fault } {
  return { fault: { kind: 'object-in-200', object } }
}

const overloaded = { message: 'Overloaded', type: 'overloaded_error', code: 'overloaded' }
const throttled = { message: 'Too many tokens', type: 'rate_limit_error', code: 'rate_limit_exceeded' }

/**
 * Faults that some vendors have a form of their own for; the others say them in the nearest one. They are asked for by
 * name like `faults`.
 */
export const dialectFaults = {
  /** Anthropic's own status for it. */
  'status-529': { fault: { kind: 'status', status: 529, error: overloaded } },
  'overloaded-in-200': { fault: { kind: 'error-in-200', status: 529, error: overloaded } },
  'overloaded-after-frames': { fault: { kind: 'error-in-200', status: 529, afterFrames: 3, error: overloaded } },
  /** Bedrock: `throttlingException` in the middle of the stream. */
  'throttled-after-frames': { fault: { kind: 'error-in-200', status: 429, afterFrames: 3, error: throttled } },
  /** Gemini: `promptFeedback.blockReason` and no candidate. */
  'blocked-prompt': { ending: 'blocked' },
  /** Gemini: the stream is one JSON list. */
  'array-stream': { arrayStream: true },
  /** Responses: `response.failed`; elsewhere an error after all of the answer. */
  'answer-failed': { ending: 'failed' },
  /** Responses: `response.incomplete`; elsewhere an answer cut for its length. */
  'answer-incomplete': { ending: 'length' },
  'answer-filtered': { ending: 'content-filter' },
} as const satisfies Record<string, Behaviour>

export type DialectFaultName = keyof typeof dialectFaults

export const isDialectFaultName = (name: string): name is DialectFaultName => Object.hasOwn(dialectFaults, name)
