/**
 * Parts of sentences and log texts, by machine-readable code. As for errors, the wording in each language is in the gateway's locales: a
 * phrase is stored and passed on as its code with parameters, and worded for its reader.
 */
export const phraseCodes = [
  // why a value is refused; `place` names the field
  'reason.at',
  'reason.required',
  'reason.type',
  'reason.unknown_field',
  'reason.too_short',
  'reason.too_long',
  'reason.too_small',
  'reason.not_above',
  'reason.too_large',
  'reason.too_few',
  'reason.too_many',
  'reason.one_of',
  'reason.format',
  'reason.invalid',
  'reason.null_character',
  'reason.control_characters',
  'reason.too_deep',
  'reason.whole_number',
  'reason.decimal_number',
  'reason.web_address',
  'reason.address_credentials',
  'reason.https_address',
  'reason.mail_address',
  'reason.currency',
  'reason.domain',
  'reason.picture_address',
  'reason.time_zone',
  'reason.json',
  'reason.json_object',
  'reason.repeated',
  'reason.statuses',
  'reason.backwards',
  'reason.name',
  'reason.proto',
  'reason.no_groups',
  'reason.one_chat_entry',
  'reason.script_link',
  'reason.pattern',
  'reason.head_tag',
  'reason.head_handler',
  'reason.head_address',
  'reason.head_unclosed',
  'reason.head_text',
  'reason.region',
  'reason.bucket',
  'reason.prefix',
  'reason.header_fixed',
  'reason.header_personal',

  // what a limit counts, and when it begins anew
  'measure.quota',
  'measure.requests',
  'measure.prompt_tokens',
  'measure.completion_tokens',
  'measure.tokens',
  'measure.concurrent',
  'window.begins_anew',
  'window.never_anew',

  // what a value must be
  'type.text',
  'type.number',
  'type.whole_number',
  'type.flag',
  'type.list',
  'type.object',

  // what an administrator or the gateway did
  'log.options_changed',
  'log.quota_changed',
  'log.quota_changed_for',
  'log.registered',
  'log.checked_in',
  'log.redeemed',
  'log.redeemed_gift',
  'log.topped_up',
  'log.top_up_refunded',
  'log.top_up_disputed',
  'log.top_up_restored',
  'log.invited',
  'log.was_invited',
  'log.invitation_transferred',
  'log.user_promoted',
  'log.user_demoted',
  'log.user_enabled',
  'log.user_disabled',
  'log.user_closed',
  'log.user_password_set',
  'log.user_factors_removed',
  'log.quota_in_currency',
  'log.quota_in_points',
  'log.test_passed',
  'log.test_failed',
  'log.channel_disabled',
  'log.key_disabled',
  'log.channel_enabled',
  'log.key_enabled',

  // why a node is not ready
  'node.disk',
  'node.files',
  'node.journal',
  'node.secrets',
  'node.database',

  // what was done, reported with the response
  'done.message_created',
  'done.message_updated',
  'done.message_deleted',
  'done.message_read',

  // why a mail could not be sent
  'smtp.unreachable',
  'smtp.timeout',
  'smtp.tls',
  'smtp.account',
  'smtp.envelope',
  'smtp.failed',

  // why a bucket cannot be used
  's3.unreachable',
  's3.timeout',
  's3.key',
  's3.denied',
  's3.bucket_none',
  's3.region',
  's3.clock',
  's3.failed',

  // the price of a call
  'log.priced',
  'log.priced_by_tier',

  // why a channel is out of service
  'status.too_slow',
  'status.no_keys',
  'status.no_balance',

  // why a task ended without a result
  'task.failed',
  'task.timeout',
  'task.lost',
  'task.interrupted',
  'task.channel_gone',
  'task.cancelled',
] as const
export type PhraseCode = (typeof phraseCodes)[number]

/** Returns the message of a schema's own check: the code of the reason why it refuses a value. */
export const refusal = (reason: Extract<PhraseCode, `reason.${string}`>): string => reason
