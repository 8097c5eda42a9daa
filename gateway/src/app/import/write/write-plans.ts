import { planRoutes, windowRoutes, type OptionValues } from '@tollgate/contract'
import type { Insertable } from 'kysely'

import { openPeriodIn } from '../../../billing/ledger/window/period-store'
import { limitWindow, windowsOfOwner } from '../../../billing/ledger/window/read-windows'
import { setWindowsIn } from '../../../billing/ledger/window/set-windows'
import type { PlansTable } from '../../../platform/store/tables/plans'
import type { SiteSource, SourcePlan, SourceSubscription } from '../site-source'
import type { ImportTarget } from './import-target'

type Site = Pick<OptionValues, 'QuotaPerUnit' | 'SiteTimeZone'>

/** Imports plans, and the subscriptions that run with what is left of them. What was paid for them stays in the source. */
export async function writePlans(source: SiteSource, site: Site, target: ImportTarget): Promise<void> {
  const names = new Set<string>()
  const plans = new Map<number, SourcePlan>()
  for await (const page of source.plans())
    for (const plan of page) if (await addPlan(plan, names, site, target)) plans.set(plan.id, plan)
  if (plans.size > 0) target.report.count('plans', plans.size)
  for await (const page of source.subscriptions())
    for (const subscription of page) await addSubscription(subscription, plans, site, target)
}

const label = ({ id, name }: SourcePlan): string => `${name.slice(0, maxNameLength) || '(no name)'} #${id}`

async function addPlan(plan: SourcePlan, names: Set<string>, site: Site, target: ImportTarget): Promise<boolean> {
  const { transaction, database, at, report } = target
  if (names.size >= planRoutes.maxPlans) {
    report.note(`plans beyond ${planRoutes.maxPlans}, left out`, label(plan))
    return false
  }
  const name = nameOf(plan, names)
  names.add(name)
  await transaction
    .insertInto('plans')
    .values({ id: plan.id, name, ...columnsOf(plan, site, target), created_at: at, deleted_at: null })
    .execute()
  if (plan.group !== '')
    report.note('plans that moved their users to a group, which plans here do not: users stay in theirs', label(plan))
  const clock = { seconds: () => at }
  if (plan.quota > 0)
    await setWindowsIn({ clock, database }, transaction, { owner: 'plan', ref: String(plan.id) }, [windowOf(plan)])
  return true
}

/** Names are unique here, and of one line. */
function nameOf({ id, name }: SourcePlan, names: ReadonlySet<string>): string {
  const plain = name
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, maxNameLength)
    .trim()
  return plain === '' || names.has(plain) ? `${plain.slice(0, maxNameLength - 10)} #${id}`.trim() : plain
}
const maxNameLength = 50

/** Terms that cannot be had here; they are sold no more. */
const anyTerm = { length: 1, unit: 'month' } as const

function columnsOf(
  plan: SourcePlan,
  { QuotaPerUnit }: Site,
  { report }: ImportTarget,
): Omit<Insertable<PlansTable>, 'name' | 'created_at' | 'deleted_at'> {
  const { maxPlanLength, maxPlanPrice } = planRoutes
  const term = plan.term && plan.term.length >= 1 && plan.term.length <= maxPlanLength ? plan.term : null
  const price = Math.min(Math.max(Math.round((plan.dollars ?? 0) * QuotaPerUnit), 0), maxPlanPrice)
  const faults = [
    ...(term === null ? ['its term is not of days, months or years'] : []),
    ...(plan.dollars === null ? ['its price is in another currency'] : []),
    ...(plan.dollars !== null && price === 0 ? ['it costs nothing, and anyone could begin it'] : []),
  ]
  if (plan.isOnSale) for (const fault of faults) report.note(`plans taken off sale: ${fault}`, label(plan))
  return {
    description: plan.description.replaceAll('\0', '').slice(0, 2000),
    price,
    ...(term ?? anyTerm),
    models: '',
    groups: '',
    max_per_user: plan.maxPerUser > 0 ? Math.min(plan.maxPerUser, maxPerUser) : maxPerUser,
    preference: plan.usesWallet ? 'plan_first' : 'plan_only',
    is_on_sale: Number(plan.isOnSale && faults.length === 0),
  }
}
const maxPerUser = 100

const windowOf = ({ quota, period }: SourcePlan): windowRoutes.WindowSettings =>
  windowRoutes.WindowSettings.parse({
    name: 'Quota',
    measure: 'quota',
    limit: Math.min(quota, windowRoutes.maxWindowLimit),
    span: period.span,
    seconds:
      period.span === 'seconds'
        ? Math.min(Math.max(period.seconds, windowRoutes.minWindowSeconds), windowRoutes.maxWindowSeconds)
        : 0,
  })

async function addSubscription(
  subscription: SourceSubscription,
  plans: ReadonlyMap<number, SourcePlan>,
  site: Site,
  target: ImportTarget,
): Promise<void> {
  const { transaction, report } = target
  const { id, userId, planId, startsAt, endsAt, isOrdered } = subscription
  const plan = await transaction
    .selectFrom('plans')
    .select(['name', 'preference'])
    .where('id', '=', plans.has(planId) ? planId : 0)
    .executeTakeFirst()
  const user = await transaction
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const example = `#${id} of user #${userId}`
  if (!plan || !user) return report.note('subscriptions whose user or plan is gone, left out', example)
  await transaction
    .insertInto('subscriptions')
    .values({
      id,
      user_id: userId,
      plan_id: planId,
      plan_name: plan.name,
      state: 'active',
      source: isOrdered ? 'order' : 'admin',
      starts_at: startsAt,
      ends_at: endsAt,
      preference: plan.preference,
      created_at: startsAt,
    })
    .execute()
  if (subscription.group !== '')
    report.note(
      'users whose group came with a subscription, who stay in it when that ends',
      `${user.username} #${userId}`,
    )
  await takeUsed(subscription, site, target)
  report.count('subscriptions')
}

/** Lets the present period of its limit have what is left in the source. */
async function takeUsed(
  { id, planId, rest }: SourceSubscription,
  { SiteTimeZone }: Site,
  { transaction, database, at, report }: ImportTarget,
): Promise<void> {
  const [row] = await windowsOfOwner(transaction, 'plan', String(planId))
  const window = row && limitWindow(row, id, SiteTimeZone)
  if (!window || rest === null) return
  const period = await openPeriodIn(database, transaction, window, at)
  if (!period) return
  if (rest > window.limit)
    report.note('subscriptions with more left than their plan has, which have what it has', `#${id}`)
  await transaction
    .updateTable('window_periods')
    .set({ free: Math.min(rest, window.limit) })
    .where('id', '=', period.id)
    .execute()
}
