import { useSite } from '../../lib/api/status'

/** External accounts of users; proper names need no translation. */
export const useIdentities = () => {
  const { oidc_display_name: oidc } = useSite()
  return [
    { field: 'github_id', name: 'GitHub' },
    { field: 'oidc_id', name: oidc },
    { field: 'wechat_id', name: 'WeChat' },
    { field: 'telegram_id', name: 'Telegram' },
    { field: 'linux_do_id', name: 'LinuxDO' },
  ] as const
}
