import { defaultOptions, optionKeys, optionOf, optionText, type OptionKey } from '../../contract/src'

import { keysOf, settingsPages } from '../../console/src/features/settings/settings-pages'
import { optionTextsOf } from '../../console/src/features/settings/settings-search'
import { testsOfOptions, type OptionTest, type Preferred } from './option-tests'

/** Where several tests set an option: words from the title of the one that is about it. */
const preferred: Preferred = {
  ServerAddress: 'a site without ServerAddress refuses to begin',
  DemoSiteEnabled: 'a demonstration site shows everything and changes nothing',
  ReverseProxyEnabled: 'the client’s address is read from the headers of trusted proxies unless that is switched off',
  ReverseProxyProvider: 'is read from the header of the kind of proxy',
  SelfUseModeEnabled: 'a model without a price can be called on a site in self-use mode',
  PasswordRegisterEnabled: 'registration is closed by its switches',
  EmailDomainRestrictionEnabled: 'registration follows the rules for addresses',
  EmailDomainWhitelist: 'registration follows the rules for addresses',
  'oidc.enabled': 'each option takes effect',
  'oidc.client_id': 'each option takes effect',
  'oidc.client_secret': 'each option takes effect',
  'oidc.well_known': 'each option takes effect',
  GitHubClientId: 'names the application',
  LinuxDOClientId: 'the client of the application',
  LinuxDOClientSecret: 'the client of the application',
  TurnstileCheckEnabled: 'opens once for each solved check',
  TurnstileSiteKey: 'the keys of the site take effect',
  TurnstileSecretKey: 'the keys of the site take effect',
  ModelAliases: 'an alias is served, charged and logged as the model',
  ModelChains: 'a call whose model fails goes on at the price',
  SiteTimeZone: 'a day in %s lasts',
  LogErrorEnabled: 'failed attempts are counted by the hour, and logged where that is configured',
  SecondFactorRequired: 'a user without a required second factor can set one up and do nothing else',
  SMTPSSLEnabled:
    'mails are encrypted from the start where the site says so, and sent from the account where it names no sender',
  QuotaForNewUser: 'registration gives the initial quota once, and records it in the log',
  AffEnabled: 'invitations without a reward are counted',
  InvitationCommissionDays: 'top-ups bring commission for as many days as the site says',
  TopUpBonuses: 'the largest tier that an amount reaches',
  CheckInEnabled: 'a check-in is refused while it is disabled',
  CheckInQuota:
    'a check-in credits between the two quotas, both included, and the first where the second is not above it',
  GroupRatio: 'a call costs the price times the ratio of its group and the special ratio of the user’s group',
  GroupGroupRatio: 'a call costs the price times the ratio of its group and the special ratio of the user’s group',
  'global.pass_through_request_enabled': 'a passed-through request omits what the channel would add',
  RetryTimes: 'a call makes no more retries than the operator allows',
  custom_head_html: 'style sheet and script run on every page',
  global_css: 'style sheet and script run on every page',
  global_js: 'style sheet and script run on every page',
  SystemName: 'site texts and appearance reach guests',
  Logo: 'site texts and appearance reach guests',
  Footer: 'site texts and appearance reach guests',
  Notice: 'site texts and appearance reach guests',
  HomePageContent: 'site texts and appearance reach guests',
  About: 'site texts and appearance reach guests',
  'general_setting.docs_link': 'site texts and appearance reach guests',
  TopUpLink: 'shop and display settings reach users',
  Chats: 'shop and display settings reach users',
  DefaultCollapseSidebar: 'shop and display settings reach users',
  QuotaPerUnit: 'shop and display settings reach users',
  DataExportEnabled: 'shop and display settings reach users',
  DataExportDefaultTime: 'shop and display settings reach users',
  DisplayInCurrencyEnabled: 'the billing endpoints show quota where the site shows no currency',
  ResponseCacheEnabled: 'no key where the site has none',
  ResponseCacheGroups: 'keys that switch it on, and those of listed groups that do not switch it off',
  ResponseCacheMinutes: 'a response is kept for the minutes of the group, and otherwise of the site',
  ResponseCachePriceFactor:
    'a hit is priced as the channel is now, and is not given where the caller may not call the model any more',
  ResponseCacheShared: 'reaches no other user, unless the site shares responses',
  ResponseCacheTools: 'unless the call or the site asks for tools of vendors',
  ResponseCacheKilobytes: 'errors, and responses that broke off, were cut short or are too long',
  ResponseCacheMegabytes: 'older responses leave where the room of the site is full',
  FilesEnabled: 'files of others, unfitting ones and files on a site that has none are refused in calls',
  FileMegabytes: 'files that are not as they should be are refused',
  FileUserMegabytes: 'files that are not as they should be are refused',
  FileDays: 'files expire when the site or the upload says so',
  BatchesEnabled: 'a batch is refused where its file is not one of a batch',
  BatchesAtVendors:
    'the gateway makes the calls where the site or the channel wants no batches of vendors, or calls are not fit for one',
  BatchMaxLines: 'a batch whose lines are not as they should be fails and says why',
  BatchUserBatches: 'a batch is refused where its file is not one of a batch',
  BatchLinesAtOnce: 'no more calls of a batch are made at once than the site says',
  BatchPriceFactor: 'calls in batches cost what the site says, at the prices of the submission',
  TaskResultStorage: 'a result whose bucket is no longer set up is read from its vendor',
  TaskBucketEndpoint: 'the test of the bucket reports rights that are missing',
  LogConsumeEnabled: 'the charge is made even when consumption is not logged',
  LogChatContentEnabled: 'conversation texts are logged where the site wants them, and bounded',
}

const head = `# Options

Made by \`bun scripts/options.ts\`, which \`bun run check\` runs: what is set on which page of the system settings, its kind and default, what it
does, and a test that switches it. \`PUT /api/option\` sets an option by its key.
`

interface OptionWords {
  readonly label: string
  readonly help: string
}

/** The document, and what is missing in it: options without a page, a text or a test. */
export async function optionTable(root: string): Promise<{ readonly markdown: string; readonly faults: string[] }> {
  const tests = await testsOfOptions(root, optionKeys, preferred)
  const read = async (path: string): Promise<unknown> => Bun.file(`${root}/console/src/locales/en/${path}.json`).json()
  const { page: names } = (await read('settings')) as { page: Readonly<Record<string, string>> }
  const parts = [head]
  const shown = new Set<OptionKey>()
  const faults: string[] = []
  for (const { name, sections } of settingsPages) {
    const words = (await read(optionTextsOf(name))) as Readonly<Record<string, OptionWords>>
    const keys = sections.flatMap(keysOf)
    const rows = keys.map((key) => {
      shown.add(key)
      if (!words[key]) faults.push(`${key} has no text`)
      if (!tests.has(key)) faults.push(`${key} has no test that sets it`)
      return rowOf(key, words[key], tests.get(key))
    })
    parts.push(
      `## ${names[name]}\n\n| Option | Kind | Default | Effect | Test |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`,
    )
  }
  for (const key of optionKeys) if (!shown.has(key)) faults.push(`${key} is on no page`)
  return { markdown: parts.join('\n'), faults }
}

function rowOf(key: OptionKey, words: OptionWords | undefined, test: OptionTest | undefined): string {
  const { kind } = optionOf(key)
  const proof = test && `\`${test.file}\`: ${test.title}`
  const cells = [
    `\`${key}\``,
    kind,
    shorten(optionText(key, defaultOptions[key])),
    `**${words?.label}.** ${words?.help}`,
    proof ?? '',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`
}

const maxLength = 60

const shorten = (text: string): string => {
  const line = text.replaceAll('\n', ' ')
  return line === '' ? '–' : `\`${line.length > maxLength ? `${line.slice(0, maxLength)}…` : line}\``
}
