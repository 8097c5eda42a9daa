import { useForm } from '@mantine/form'
import { planRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { lettersOf } from '../../lib/text/format'
import type { PlanSales } from './plan-data'

/** Values of the drawer; its limits are a form of their own. */
export interface PlanValues {
  name: string
  description: string
  /** Quota. */
  price: number | string
  length: number | string
  unit: planRoutes.PlanUnit
  models: string[]
  groups: string[]
  maxPerUser: number | string
  preference: planRoutes.PlanPreference
  isOnSale: boolean
}

export const newPlanValues: PlanValues = {
  name: '',
  description: '',
  price: '',
  length: 1,
  unit: 'month',
  models: [],
  groups: [],
  maxPerUser: 1,
  preference: 'plan_first',
  isOnSale: true,
}

export const valuesOf = (plan: PlanSales): PlanValues => ({
  name: plan.name,
  description: plan.description,
  price: plan.price,
  length: plan.length,
  unit: plan.unit,
  models: plan.models,
  groups: plan.groups,
  maxPerUser: plan.max_per_user,
  preference: plan.preference,
  isOnSale: plan.is_on_sale,
})

/** Returns the fields to send. */
export const fieldsOf = (values: PlanValues): Omit<planRoutes.PlanSettings, 'windows'> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  price: Number(values.price),
  length: Number(values.length),
  unit: values.unit,
  models: values.models,
  groups: values.groups,
  max_per_user: Number(values.maxPerUser),
  preference: values.preference,
  is_on_sale: values.isOnSale,
})

export type PlanFault = 'name' | 'price' | 'length' | 'models' | 'maxPerUser'

const maxNameLength = 50
const maxDescriptionLength = 2000
const maxSubscriptionsPerUser = 100

const isWhole = (value: unknown, min: number, max: number) =>
  value !== '' && Number.isInteger(Number(value)) && Number(value) >= min && Number(value) <= max

/** Whether a text names a model, or by its end all that begin so. */
export const isModelPattern = (text: string): boolean => /^[^\s*]*(?:[^\s*]|\*)$/.test(text)

/** Validates the drawer; `messageOf` returns the message of a fault. */
function planSchema(messageOf: (fault: PlanFault) => string) {
  return z.object({
    name: z.string().refine((name) => name.trim() !== '' && lettersOf(name) <= maxNameLength, messageOf('name')),
    description: z.string().max(maxDescriptionLength),
    price: z.unknown().refine((price) => isWhole(price, 0, planRoutes.maxPlanPrice), messageOf('price')),
    length: z.unknown().refine((length) => isWhole(length, 1, planRoutes.maxPlanLength), messageOf('length')),
    unit: z.enum(planRoutes.planUnits),
    models: z.array(z.string()).refine((models) => models.every(isModelPattern), messageOf('models')),
    groups: z.array(z.string()),
    maxPerUser: z.unknown().refine((count) => isWhole(count, 1, maxSubscriptionsPerUser), messageOf('maxPerUser')),
    preference: z.enum(planRoutes.planPreferences),
    isOnSale: z.boolean(),
  })
}

/** Fields where the server's refusals are shown. */
export const fieldOfRefusal = {
  'plan.name': 'name',
  'plan.price': 'price',
  'plan.length': 'length',
  'plan.models': 'models',
  'plan.group': 'groups',
  'plan.max_per_user': 'maxPerUser',
} as const

export function usePlanForm(initialValues: PlanValues) {
  const { t } = useTranslation('plans')
  return useForm<PlanValues>({
    initialValues,
    validate: checkedBy(
      planSchema((fault) => t(`fault.${fault}`)),
      (sentence) => sentence,
    ),
  })
}

export type PlanForm = ReturnType<typeof usePlanForm>
