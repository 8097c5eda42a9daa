import type { OptionValues } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Queries, Transaction } from '../../platform/store/database'

const maxAddressLength = 254

/**
 * What mail servers and browsers accept: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address, with a dot in the host.
 */
const address =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

export type MailRules = Pick<
  OptionValues,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/**
 * Returns a mail address in the form that is stored and compared: trimmed, in lower case.
 * @throws AppError `email.invalid`, `email.domain`, `email.alias`.
 */
export function checkedMailAddress(text: string, rules: MailRules): string {
  const checked = mailAddress(text)
  const [local, domain] = partsOf(checked)
  if (rules.EmailDomainRestrictionEnabled && !rules.EmailDomainWhitelist.includes(domain)) {
    throw new AppError('email.domain', { params: { domain } })
  }
  if (rules.EmailAliasRestrictionEnabled && /[+.]/.test(local)) throw new AppError('email.alias')
  return checked
}

/** Returns the same without the rules of the site, for an address that no account will have. @throws AppError `email.invalid`. */
export function mailAddress(text: string): string {
  const checked = text.trim().toLowerCase()
  if (checked.length > maxAddressLength || !address.test(checked)) throw new AppError('email.invalid')
  return checked
}

/**
 * Returns what all spellings of a mailbox have in common, for limits: names after a plus, and Gmail's dots, do not make another mailbox.
 */
export function mailBox(checked: string): string {
  const [local, domain] = partsOf(checked)
  const name = local.split('+')[0] ?? local
  return `${/^(gmail|googlemail)\.com$/.test(domain) ? name.replaceAll('.', '') : name}@${domain}`
}

const partsOf = (checked: string): readonly [local: string, domain: string] => {
  const at = checked.lastIndexOf('@')
  return [checked.slice(0, at), checked.slice(at + 1)]
}

/**
 * Resolves with the owner of a mail address; also a closed account, which keeps it. Of several, which earlier releases allowed, the open
 * account.
 */
export const mailOwner = (query: Queries | Transaction, address: string) =>
  query
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status', 'setting', 'deleted_at'])
    .where('email', 'is not', null)
    .where(sql<boolean>`lower(email) = ${address.toLowerCase()}`)
    .orderBy(sql`case when deleted_at is null then 0 else 1 end`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
