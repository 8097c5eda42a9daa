import {
  defaultOptions,
  isOptionKey,
  isSecretOption,
  optionText,
  parseOptions,
  role,
  userStatus,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contract'

import { isRatioOption } from '../../../billing/pricing/ratio-view'
import { storeOption } from '../../../channels/catalog/option-changes'
import { partsOf } from '../../../channels/catalog/channel-texts'
import { checkedChange } from '../../../console-api/options/option-change'
import { AppError } from '../../../platform/app-error'
import { sentence } from '../../../http/language'
import type { SiteSource } from '../site-source'
import type { ImportTarget } from './import-target'

/**
 * Imports the settings of the site, after its users and keys. Resolves with those in force. What we have under no name is listed. Ratios are
 * prices, which are written by `writePrices`.
 */
export async function writeOptions(source: SiteSource, target: ImportTarget): Promise<OptionValues> {
  const texts = new Map<string, string>()
  for (const [name, value] of await source.options()) {
    const change = changeOf(name, value, target)
    if (change) texts.set(change.key, change.text)
  }
  texts.set('GroupRatio', await withGroupsInUse(source, parseOptions(texts), target))
  if (texts.get('PasswordLoginEnabled') === 'false' && !(await canSignInOtherwise(target))) {
    texts.delete('PasswordLoginEnabled')
    target.report.note(
      'settings left at their default: PasswordLoginEnabled, as no super admin could sign in otherwise',
    )
  }
  for (const [key, text] of texts) if (isOptionKey(key)) await store(key, text, target)
  return parseOptions(texts)
}

function changeOf(name: string, value: string, { report }: ImportTarget) {
  const { key, text } = optionNames[name]?.(value) ?? { key: name, text: value }
  if (isRatioOption(key) || text === '') return null
  if (!isOptionKey(key)) {
    report.note('settings that are unknown here', name)
    return null
  }
  try {
    return checkedChange(key, text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    report.note(`settings that are not valid here: ${sentence(error.code, error.params, 'en')}`)
    return null
  }
}

async function store(key: OptionKey, text: string, { transaction, seal, report }: ImportTarget): Promise<void> {
  if (text === optionText(key, defaultOptions[key])) return
  await storeOption(key, isSecretOption(key) ? seal.seal(text, `options.value#${key}`) : text, transaction)
  report.count('settings')
}

/** A group that someone is in, and that has no ratio, had the ratio 1. */
async function withGroupsInUse(
  source: SiteSource,
  { GroupRatio }: OptionValues,
  target: ImportTarget,
): Promise<string> {
  const missing = [...(await groupsInUse(source, target))].filter((group) => !Object.hasOwn(GroupRatio, group))
  for (const group of missing) target.report.note('groups without a ratio, which have 1 now', group)
  return JSON.stringify({ ...GroupRatio, ...Object.fromEntries(missing.map((group) => [group, 1])) })
}

async function groupsInUse(source: SiteSource, { transaction }: ImportTarget): Promise<ReadonlySet<string>> {
  const groups = new Set<string>()
  for (const table of ['users', 'tokens'] as const)
    for (const { group } of await transaction.selectFrom(table).select('group').distinct().execute()) groups.add(group)
  for await (const channels of source.channels())
    for (const { fields } of channels) for (const group of partsOf(fields.group ?? '')) groups.add(group)
  groups.delete('')
  return groups
}

async function canSignInOtherwise({ transaction }: ImportTarget): Promise<boolean> {
  const root = await transaction
    .selectFrom('users')
    .innerJoin('identities', 'identities.user_id', 'users.id')
    .select('users.id')
    .where('role', '=', role.root)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return root !== undefined
}

interface Renamed {
  readonly key: string
  readonly text: string
}

const as =
  (key: string) =>
  (text: string): Renamed => ({ key, text })

/** Settings that other products have under another name, or in another form. */
const optionNames: Readonly<Record<string, (text: string) => Renamed>> = {
  'checkin_setting.enabled': as('CheckInEnabled'),
  'checkin_setting.min_quota': as('CheckInQuota'),
  'checkin_setting.max_quota': as('CheckInMaxQuota'),
  'payment_setting.amount_options': as('AmountOptions'),
  'payment_setting.amount_discount': as('AmountDiscount'),
  'general_setting.quota_display_type': (text) => ({
    key: 'DisplayInCurrencyEnabled',
    text: String(text !== 'TOKENS'),
  }),
}
