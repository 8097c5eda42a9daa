// Written by scripts/texts.ts: makes every key of the texts known to the compiler.
import type account from './zh/account.json'
import type audit from './zh/audit.json'
import type callCost from './zh/call-cost.json'
import type callback from './zh/callback.json'
import type channelEditor from './zh/channel-editor.json'
import type channels from './zh/channels.json'
import type chat from './zh/chat.json'
import type common from './zh/common.json'
import type connect from './zh/connect.json'
import type dashboard from './zh/dashboard.json'
import type document from './zh/document.json'
import type earnings from './zh/earnings.json'
import type externalSignIn from './zh/external-sign-in.json'
import type firstCall from './zh/first-call.json'
import type home from './zh/home.json'
import type inbox from './zh/inbox.json'
import type limits from './zh/limits.json'
import type logPanel from './zh/log-panel.json'
import type login from './zh/login.json'
import type logs from './zh/logs.json'
import type messages from './zh/messages.json'
import type modelNames from './zh/model-names.json'
import type onboarding from './zh/onboarding.json'
import type optionsAccounts from './zh/options-accounts.json'
import type optionsCalls from './zh/options-calls.json'
import type optionsMoney from './zh/options-money.json'
import type optionsPayment from './zh/options-payment.json'
import type optionsSite from './zh/options-site.json'
import type optionsWatch from './zh/options-watch.json'
import type order from './zh/order.json'
import type orders from './zh/orders.json'
import type ownPlans from './zh/own-plans.json'
import type plan from './zh/plan.json'
import type plans from './zh/plans.json'
import type playground from './zh/playground.json'
import type priceEntry from './zh/price-entry.json'
import type priceSync from './zh/price-sync.json'
import type prices from './zh/prices.json'
import type pricing from './zh/pricing.json'
import type redemptionCodes from './zh/redemption-codes.json'
import type refused from './zh/refused.json'
import type register from './zh/register.json'
import type reset from './zh/reset.json'
import type rights from './zh/rights.json'
import type routing from './zh/routing.json'
import type security from './zh/security.json'
import type settingTests from './zh/setting-tests.json'
import type settings from './zh/settings.json'
import type setup from './zh/setup.json'
import type shell from './zh/shell.json'
import type strategies from './zh/strategies.json'
import type system from './zh/system.json'
import type tasks from './zh/tasks.json'
import type tokens from './zh/tokens.json'
import type unusual from './zh/unusual.json'
import type users from './zh/users.json'
import type wallet from './zh/wallet.json'

export interface Areas {
  account: typeof account
  audit: typeof audit
  'call-cost': typeof callCost
  callback: typeof callback
  'channel-editor': typeof channelEditor
  channels: typeof channels
  chat: typeof chat
  common: typeof common
  connect: typeof connect
  dashboard: typeof dashboard
  document: typeof document
  earnings: typeof earnings
  'external-sign-in': typeof externalSignIn
  'first-call': typeof firstCall
  home: typeof home
  inbox: typeof inbox
  limits: typeof limits
  'log-panel': typeof logPanel
  login: typeof login
  logs: typeof logs
  messages: typeof messages
  'model-names': typeof modelNames
  onboarding: typeof onboarding
  'options-accounts': typeof optionsAccounts
  'options-calls': typeof optionsCalls
  'options-money': typeof optionsMoney
  'options-payment': typeof optionsPayment
  'options-site': typeof optionsSite
  'options-watch': typeof optionsWatch
  order: typeof order
  orders: typeof orders
  'own-plans': typeof ownPlans
  plan: typeof plan
  plans: typeof plans
  playground: typeof playground
  'price-entry': typeof priceEntry
  'price-sync': typeof priceSync
  prices: typeof prices
  pricing: typeof pricing
  'redemption-codes': typeof redemptionCodes
  refused: typeof refused
  register: typeof register
  reset: typeof reset
  rights: typeof rights
  routing: typeof routing
  security: typeof security
  'setting-tests': typeof settingTests
  settings: typeof settings
  setup: typeof setup
  shell: typeof shell
  strategies: typeof strategies
  system: typeof system
  tasks: typeof tasks
  tokens: typeof tokens
  unusual: typeof unusual
  users: typeof users
  wallet: typeof wallet
}
