/**
 * Every error a person or a program can meet, by machine code, with its HTTP status.
 * The sentences are in the gateway's locales, one for each code and language.
 * Status 200 marks a business failure: the envelope says `success: false`.
 */
export const errorCodes = {
  // anyone
  'param.invalid': 200,
  'input.invalid': 400,
  'body.malformed': 400,
  'body.too_large': 413,
  'route.unknown': 404,
  'method.wrong': 405,
  'demo.read_only': 405,
  'rate.limited': 429,
  'server.error': 500,
  'db.error': 200,
  'db.down': 503,
  'setup.needed': 403,

  // who is calling
  'auth.required': 401,
  'auth.token_invalid': 200,
  'auth.forbidden': 403,
  'auth.header_missing': 401,
  'auth.header_invalid': 401,
  'auth.header_mismatch': 401,
  'auth.user_invalid': 200,
  'user.banned': 200,
  'user.deregistered': 200,

  // setup
  'setup.done': 400,
  'setup.code': 403,
  'setup.username': 200,
  'setup.mismatch': 200,
  'setup.short': 200,

  // accounts
  'login.password_off': 200,
  'login.failed': 200,
  'user.exists': 200,
  'user.none': 200,
  'user.username': 200,
  'user.password': 200,
  'user.rank_read': 200,
  'user.rank_edit': 200,
  'user.rank_raise': 200,
  'user.rank_delete': 200,
  'user.rank_create': 200,
  'user.group': 200,
  'user.quota': 200,
  'user.action': 200,
  'user.password_original': 200,
  'root.disable': 200,
  'root.delete': 200,
  'root.demote': 200,
  'promote.root_only': 200,
  'promote.already': 200,
  'demote.already': 200,

  // tokens
  'token.none': 200,
  'token.name_empty': 200,
  'token.name_long': 200,
  'token.limit': 200,
  'token.quota': 200,
  'token.group': 200,
  'token.models': 200,
  'token.ips': 200,
  'token.status': 200,
  'token.expired_enable': 200,
  'token.exhausted_enable': 200,

  // channels
  'channel.none': 200,
  'channel.name_or_key': 200,
  'channel.models': 200,
  'channel.type': 200,
  'channel.group': 200,
  'channel.base_url': 200,
  'channel.model_mapping': 200,
  'channel.model_mapping_cycle': 200,
  'channel.status_code_mapping': 200,
  'channel.setting': 200,
  'channel.param_override': 200,
  'channel.region': 200,
  'channel.region_default': 200,
  'channel.model_long': 200,
  'channel.tag_empty': 200,
  'channel.ids_empty': 200,
  'channel.testing': 200,
  'channel.test_unsupported': 200,
  'channel.test_failed': 200,
  'channel.balance_none': 200,
  'channel.balance_failed': 200,
  'channel.fetch_failed': 200,
  'channel.key_needed': 200,
  'channel.key_unknown': 200,

  // options
  'option.unknown': 200,
  'option.invalid': 200,
  'option.prerequisite': 200,
  'option.lock_out': 200,
  'option.group_in_use': 200,

  // logs
  'log.timestamp': 200,

  // model calls: authentication and admission
  'key.missing': 401,
  'key.invalid': 401,
  'key.disabled': 401,
  'key.expired': 401,
  'key.exhausted': 403,
  'caller.banned': 403,
  'caller.ip': 403,
  'caller.group': 403,
  'caller.group_gone': 403,
  'caller.model': 403,
  'caller.channel_pin': 403,
  'channel_pin.unknown': 400,
  'channel_pin.disabled': 403,
  'playground.model': 400,
  'playground.group': 403,
  'playground.token': 400,
  'request.malformed': 400,
  'request.invalid': 400,
  'request.model_missing': 400,
  'request.sensitive_words': 400,
  'request.too_large': 413,
  'endpoint.unknown': 404,
  'endpoint.method': 405,
  'endpoint.unsupported': 501,
  'model.unknown': 404,
  'model.unpriced': 400,
  'rate.token': 429,
  'rate.user': 429,
  'rate.user_success': 429,

  // model calls: money
  'quota.user': 403,
  'quota.token': 403,
  'ledger.unavailable': 503,

  // model calls: upstream
  'route.no_channel': 503,
  'upstream.failed': 502,
  'upstream.unreachable': 502,
  'upstream.malformed': 502,
  'upstream.timeout': 504,
  'upstream.busy': 429,
  'upstream.rejected': 400,
  'upstream.broken': 502,
  'gateway.draining': 503,
  'gateway.setup': 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorCodes

/** The HTTP status an error is answered with. */
export const statusOf = (code: ErrorCode): number => errorCodes[code]
