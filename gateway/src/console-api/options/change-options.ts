import { isSecretOption, mayChangeOption, optionGrant, parseOptions } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { lockPrices, storeRatios } from '../../billing/pricing/price-store'
import { isRatioOption } from '../../billing/pricing/ratio-view'
import type { SiteContext } from '../../context'
import type { SiteChange } from '../../http/handler'
import { checkTurnstileSecret } from '../../http/sign-in/verify-token'
import type { Transaction } from '../../platform/store/database'
import { checkSiteModels } from './check-site-models'
import { storedOptions } from './list-options'
import { recordHistory } from './option-history'
import { checkedChange, type OptionChange } from './option-change'
import {
  checkPrerequisites,
  checkSections,
  refuseLockOut,
  refuseRemovalOfUsedGroups,
  refuseWithoutOwnFactor,
  type Proposal,
} from './option-rules'
import { storeOption } from '../../channels/catalog/option-changes'

/**
 * Changes options together, all or none, and puts them in force.
 * @throws AppError `option.unknown`, `option.invalid`, `option.prerequisite`, `option.lock_out`, `option.own_factor`,
 * `option.group_in_use`, of the `alias.`, `chain.` and `target.` families, `option.root_only`, `auth.forbidden`, `demo.read_only`, `turnstile.secret`, `turnstile.unreachable`.
 */
export async function changeOptions(items: readonly { key: string; value: string }[], call: SiteChange): Promise<void> {
  const { ctx, caller } = call
  const changes = items.map(({ key, value }) => checkedChange(key, value))
  if (ctx.catalog.current.options.DemoSiteEnabled) refuseInDemo(changes)
  refuseOthersOptions(changes, caller)
  await checkBotCheck(changes, ctx)
  await ctx.database.query.transaction().execute(async (transaction) => {
    // Announced first: the lock it takes lets only one change of options run at a time, so the rules see the latest state.
    await ctx.changes.announce({ topic: 'catalog', refId: 0 }, transaction)
    if (changes.some(({ key }) => isRatioOption(key))) await lockPrices(ctx, transaction)
    const proposal = await proposalOf(changes, call.ctx, transaction)
    checkPrerequisites(proposal)
    checkSections(proposal)
    checkSiteModels(proposal, ctx.catalog.current)
    await refuseLockOut(proposal, transaction)
    await refuseWithoutOwnFactor(proposal, caller, transaction)
    await refuseRemovalOfUsedGroups(proposal, transaction)
    for (const change of changes) if (!isRatioOption(change.key)) await store(change, call, transaction)
    await storeChangedRatios(proposal, call, transaction)
    await recordHistory(changes, proposal, call, transaction)
    note(changes, proposal, call)
  })
  await ctx.changes.deliver()
}

/** A secret that Turnstile does not know would lock everyone out, so it is asked before the check is on with it. */
async function checkBotCheck(changes: readonly OptionChange[], ctx: SiteContext): Promise<void> {
  const { options } = ctx.catalog.current
  const changed = new Map(changes.map(({ key, text }) => [key, text]))
  const secret = changed.get('TurnstileSecretKey') ?? options.TurnstileSecretKey
  const isOn = (changed.get('TurnstileCheckEnabled') ?? String(options.TurnstileCheckEnabled)) === 'true'
  const isNew = secret !== options.TurnstileSecretKey || !options.TurnstileCheckEnabled
  if (isOn && isNew && secret !== '') await checkTurnstileSecret(secret, ctx)
}

/** On a demonstration site only the option that makes it one can be changed. */
function refuseInDemo(changes: readonly OptionChange[]): void {
  if (changes.some(({ key }) => key !== 'DemoSiteEnabled')) throw new AppError('demo.read_only')
}

/** @throws AppError `option.root_only`, `auth.forbidden` when one of them is not the caller's to change. */
function refuseOthersOptions(changes: readonly OptionChange[], caller: SiteChange['caller']): void {
  const refused = changes.find(({ key }) => !mayChangeOption(caller.grants, key))
  if (!refused) return
  const code = optionGrant(refused.key) === 'settings.secure' ? 'option.root_only' : 'auth.forbidden'
  throw new AppError(code, { params: { key: refused.key }, envelopeFields: { field: refused.key } })
}

/** Records the settings before and after; of secrets only that they were set or removed. */
function note(changes: readonly OptionChange[], { before, after }: Proposal, { audit }: SiteChange) {
  for (const { key, text } of changes) {
    if (isSecretOption(key)) audit.recordChange({}, { [key]: text === '' ? 'removed' : 'set' })
    else audit.recordChange({ [key]: before[key] }, { [key]: after[key] })
  }
}

async function proposalOf(
  changes: readonly OptionChange[],
  { catalog }: Pick<SiteContext, 'catalog'>,
  transaction: Transaction,
): Promise<Proposal> {
  const stored = await storedOptions(transaction, catalog.current.prices)
  const before = parseOptions(stored.texts)
  const secretsBefore = new Set(stored.secrets)
  for (const { key, text } of changes) {
    if (!isSecretOption(key)) stored.texts.set(key, text)
    else if (text === '') stored.secrets.delete(key)
    else stored.secrets.add(key)
  }
  const changed = new Set(changes.map(({ key }) => key))
  return { before, after: parseOptions(stored.texts), secretsBefore, secretsAfter: stored.secrets, changed }
}

/** Ratios of models are a view of price entries. */
function storeChangedRatios(
  { before, after, changed }: Proposal,
  { ctx, caller }: SiteChange,
  transaction: Transaction,
): Promise<void> {
  const tables = [...changed].filter(isRatioOption).map((option) => ({
    option,
    before: before[option],
    after: after[option],
  }))
  return storeRatios(ctx, tables, { source: 'own', username: caller.username }, transaction)
}

async function store({ key, text }: OptionChange, { ctx }: SiteChange, transaction: Transaction) {
  const value = isSecretOption(key) && text !== '' ? ctx.seal.seal(text, `options.value#${key}`) : text
  await storeOption(key, value, transaction)
}
