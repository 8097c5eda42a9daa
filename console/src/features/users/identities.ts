/** External accounts of users; proper names need no translation. */
export const identities = [
  { field: 'github_id', name: 'GitHub' },
  { field: 'oidc_id', name: 'OIDC' },
  { field: 'wechat_id', name: 'WeChat' },
  { field: 'telegram_id', name: 'Telegram' },
  { field: 'linux_do_id', name: 'LinuxDO' },
] as const
