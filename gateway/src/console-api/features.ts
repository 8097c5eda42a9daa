import type { Feature } from '../http/handler'

/**
 * The console API. A path belongs to the first feature that names it or a prefix of it, so the narrower one comes first.
 *
 * Each feature is loaded by its first call: with their schemas they are half of the memory of a worker's code, and a gateway that only
 * relays calls needs none of them (docs/decisions/0004).
 */
export const features: readonly Feature[] = [
  { paths: ['/api/setup'], load: async () => (await import('./setup/setup')).setupHandlers },
  { paths: ['/api/status'], load: async () => (await import('./status/status')).statusHandlers },
  {
    paths: ['/api/home_page_content', '/api/about', '/api/notice'],
    load: async () => (await import('./site-texts/site-texts')).siteTextHandlers,
  },
  {
    paths: [
      '/api/user/login/factor',
      '/api/user/login/passkey',
      '/api/user/step_up/passkey',
      '/api/user/factors',
      '/api/user/passkeys',
    ],
    load: async () => (await import('./factors/factors')).factorHandlers,
  },
  {
    paths: ['/api/user/login', '/api/user/logout', '/api/user/sessions'],
    load: async () => (await import('./account/sessions')).sessionHandlers,
  },
  {
    paths: ['/api/user/register', '/api/user/reset', '/api/verification', '/api/reset_password', '/api/oauth/email'],
    load: async () => (await import('./registration/registration')).registrationHandlers,
  },
  {
    paths: ['/api/group', '/api/user/groups', '/api/user/self/groups'],
    load: async () => (await import('./groups/groups')).groupHandlers,
  },
  {
    paths: ['/api/models', '/api/user/models'],
    load: async () => (await import('./models/models')).modelHandlers,
  },
  {
    paths: ['/api/user/aff', '/api/user/aff_transfer'],
    load: async () => (await import('./invitations/invitations')).invitationHandlers,
  },
  {
    paths: ['/api/user/check_in', '/api/user/check_in_status'],
    load: async () => (await import('./check-in/check-in')).checkInHandlers,
  },
  {
    paths: ['/api/plan', '/api/user/plans', '/api/user/subscriptions'],
    load: async () => (await import('./plans/plans')).planHandlers,
  },
  {
    paths: ['/api/window', '/api/token/windows', '/api/user/self/windows'],
    load: async () => (await import('./windows/windows')).windowHandlers,
  },
  {
    paths: ['/api/user/access_tokens', '/api/user/self', '/api/user/setting', '/api/user/step_up', '/api/user/token'],
    load: async () => (await import('./account/account')).selfHandlers,
  },
  {
    paths: ['/api/user/notices'],
    load: async () => (await import('./notices/notices')).noticeHandlers,
  },
  {
    paths: ['/api/user/statement', '/api/user/documents', '/api/user/expiring_quota'],
    load: async () => (await import('./wallet/wallet')).walletHandlers,
  },
  {
    paths: ['/api/redemption'],
    load: async () => (await import('./redemption-codes/redemption-codes')).redemptionHandlers,
  },
  {
    // A code is redeemed by a POST to the path that lists orders.
    paths: [
      '/api/user/topup',
      '/api/user/pay',
      '/api/user/amount',
      '/api/user/epay',
      '/api/stripe',
      '/api/option/payment',
    ],
    load: async () => [
      ...(await import('./payments/payments')).paymentHandlers,
      ...(await import('./redemption-codes/redemption-codes')).redeemHandlers,
    ],
  },
  {
    paths: ['/api/user/messages', '/api/admin/messages'],
    load: async () => (await import('./messages/messages')).messageHandlers,
  },
  { paths: ['/api/oauth'], load: async () => (await import('./oauth/oauth')).oauthHandlers },
  { paths: ['/api/user'], load: async () => (await import('./users/users')).userHandlers },
  { paths: ['/api/token'], load: async () => (await import('./tokens/tokens')).tokenHandlers },
  { paths: ['/api/channel'], load: async () => (await import('./channels/channels')).channelHandlers },
  { paths: ['/api/system'], load: async () => (await import('./system/system')).systemHandlers },
  { paths: ['/api/backup'], load: async () => (await import('./backups/backups')).backupHandlers },
  { paths: ['/api/option'], load: async () => (await import('./options/options')).optionHandlers },
  { paths: ['/api/log'], load: async () => (await import('./logs/logs')).logHandlers },
  { paths: ['/api/mj', '/api/task'], load: async () => (await import('./tasks/tasks')).taskHandlers },
  { paths: ['/api/audit'], load: async () => (await import('./audit/audit')).auditHandlers },
  {
    paths: ['/api/data/earnings'],
    load: async () => (await import('./dashboard/earnings/earnings')).earningHandlers,
  },
  { paths: ['/api/data'], load: async () => (await import('./dashboard/dashboard')).dashboardHandlers },
  { paths: ['/api/prices/sync'], load: async () => (await import('./price-sync/price-sync')).priceSyncHandlers },
  { paths: ['/api/prices'], load: async () => (await import('./prices/prices')).priceHandlers },
  { paths: ['/api/pricing'], load: async () => (await import('./pricing/pricing')).pricingHandlers },
]
