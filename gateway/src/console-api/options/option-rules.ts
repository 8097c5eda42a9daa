import {
  isSecretOption,
  optionKeys,
  optionOf,
  optionText,
  role,
  sectionPrerequisites,
  userStatus,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contract'

import { isFactorRequired, ownsFactor } from '../../accounts/factors/held-factors'
import { providerSwitches } from '../../accounts/identities/sign-in-providers'
import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'

/** The settings as they would be after a change. */
export interface Proposal {
  readonly before: OptionValues
  /** Secrets are empty here. */
  readonly after: OptionValues
  readonly secretsBefore: ReadonlySet<OptionKey>
  readonly secretsAfter: ReadonlySet<OptionKey>
  readonly changed: ReadonlySet<OptionKey>
}

/** A switch that is on, or a choice, needs its other settings. Checked when it or one of them changes. @throws AppError `option.prerequisite`. */
export function checkPrerequisites(proposal: Proposal): void {
  for (const key of optionKeys) {
    const { prerequisite } = optionOf(key)
    if (!prerequisite || optionText(key, proposal.after[key]) !== (prerequisite.value ?? 'true')) continue
    const isTouched = [key, ...prerequisite.needs].some((name) => proposal.changed.has(name as OptionKey))
    if (!isTouched || prerequisite.needs.every((needed) => isFilled(proposal, needed as OptionKey))) continue
    const { feature, needed } = prerequisite
    throw new AppError('option.prerequisite', { params: { feature, needed }, envelopeFields: { field: key } })
  }
}

const isFilled = ({ after, secretsAfter }: Proposal, key: OptionKey): boolean =>
  isSecretOption(key) ? secretsAfter.has(key) : optionText(key, after[key]) !== ''

/**
 * A section that needs other settings can be changed once they are filled in; and what online payment uses stays filled in.
 * @throws AppError `option.prerequisite`.
 */
export function checkSections(proposal: Proposal): void {
  const sections = new Set([...proposal.changed].map((key) => optionOf(key).section))
  const isPaidOnline = proposal.after.PayAddress !== '' || proposal.secretsAfter.has('StripeApiSecret')
  if (proposal.changed.has('ServerAddress') && isPaidOnline) sections.add('payment')
  for (const section of sections) {
    const prerequisite = sectionPrerequisites[section]
    if (!prerequisite || prerequisite.needs.every((needed) => isFilled(proposal, needed as OptionKey))) continue
    const { feature, needed } = prerequisite
    throw new AppError('option.prerequisite', { params: { feature, needed } })
  }
}

/**
 * Without passwords, a super admin must be able to sign in another way: at an enabled provider, or with a passkey.
 * @throws AppError `option.lock_out`.
 */
export async function refuseLockOut(proposal: Proposal, transaction: Transaction): Promise<void> {
  const switches = Object.entries(providerSwitches)
  const isTouched = ['PasswordLoginEnabled' as const, ...switches.map(([, key]) => key)].some((key) =>
    proposal.changed.has(key),
  )
  if (proposal.after.PasswordLoginEnabled || !isTouched) return
  const open = switches.filter(([, key]) => proposal.after[key]).map(([provider]) => provider)
  const root = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '>=', role.root)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .where((eb) => {
      const passkeys = eb.selectFrom('passkeys').select('credential_id').whereRef('passkeys.user_id', '=', 'users.id')
      const identities = eb.selectFrom('identities').select('subject').whereRef('identities.user_id', '=', 'users.id')
      const linked = open.length === 0 ? [] : [eb.exists(identities.where('provider', 'in', open))]
      return eb.or([eb.exists(passkeys), ...linked])
    })
    .executeTakeFirst()
  if (!root) throw new AppError('option.lock_out', { envelopeFields: { field: 'PasswordLoginEnabled' } })
}

/**
 * A super admin without a second factor cannot require one of super admins: their next call would be refused.
 * @throws AppError `option.own_factor`.
 */
export async function refuseWithoutOwnFactor(
  { after, changed }: Proposal,
  caller: { readonly userId: number; readonly role: number },
  transaction: Transaction,
): Promise<void> {
  const key = 'SecondFactorRequired'
  // A command has no next call.
  if (caller.userId === 0) return
  if (!changed.has(key) || !isFactorRequired(caller.role, after) || (await ownsFactor(transaction, caller.userId)))
    return
  throw new AppError('option.own_factor', { envelopeFields: { field: key } })
}

/** A group that users, tokens or channels are in cannot be removed. @throws AppError `option.group_in_use`. */
export async function refuseRemovalOfUsedGroups(proposal: Proposal, transaction: Transaction): Promise<void> {
  const removed = Object.keys(proposal.before.GroupRatio).filter(
    (name) => proposal.after.GroupRatio[name] === undefined,
  )
  if (removed.length === 0) return
  const used = await groupsInUse(transaction)
  const blocking = removed.filter((name) => used.has(name))
  if (blocking.length > 0) {
    const params = { group: blocking.sort().join(', ') }
    throw new AppError('option.group_in_use', { params, envelopeFields: { field: 'GroupRatio' } })
  }
}

async function groupsInUse(transaction: Transaction): Promise<ReadonlySet<string>> {
  const users = await transaction
    .selectFrom('users')
    .select('group')
    .distinct()
    .where('deleted_at', 'is', null)
    .execute()
  const tokens = await transaction
    .selectFrom('tokens')
    .select('group')
    .distinct()
    .where('deleted_at', 'is', null)
    .execute()
  const channels = await transaction.selectFrom('channels').select('group').distinct().execute()
  const ofChannels = channels.flatMap(({ group }) => group.split(',').map((name) => name.trim()))
  return new Set([...users, ...tokens].map(({ group }) => group).concat(ofChannels))
}
