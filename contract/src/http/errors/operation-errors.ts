/** Errors about what operators set: channels, options, backups, the log. */
export const operationErrors = {
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
  'channel.masked': 200,
  'channel.region': 200,
  'channel.region_json': 200,
  'channel.region_default': 200,
  'channel.model_long': 200,
  'channel.tag_empty': 200,
  'channel.tag_none': 200,
  'channel.tag_unchanged': 200,
  'channel.priority': 200,
  'channel.weight': 200,
  'channel.other': 200,
  'channel.ids_empty': 200,
  'channel.none_to_delete': 200,
  'channel.testing': 200,
  'channel.test_unsupported': 200,
  'channel.test_failed': 200,
  'channel.balance_none': 200,
  'channel.balance_failed': 200,
  'channel.fetch_failed': 200,
  'channel.key_needed': 200,
  'channel.key_characters': 200,
  'channel.key_form': 200,
  'channel.key_again': 200,
  'channel.key_unknown': 200,
  'channel.key_last': 200,

  // options
  'option.unknown': 200,
  'option.invalid': 200,
  'option.prerequisite': 200,
  'option.lock_out': 200,
  'option.own_factor': 200,
  'option.root_only': 403,
  'option.group_in_use': 200,
  'alias.model': 200,
  'alias.nested': 200,
  'chain.named': 200,
  'chain.loop': 200,
  'chain.alias': 200,
  'target.unserved': 200,
  'target.unpriced': 200,

  // the response cache
  'response_cache.away': 200,

  // backups
  'backup.none': 200,
  'backup.running': 200,
  'backup.no_room': 200,

  // the system
  'release.off': 200,

  // logs
  'log.none': 200,
  'log.timestamp': 200,
  'log.timestamp_future': 200,
  'log.recent': 200,
  'log.store_down': 503,
} as const
