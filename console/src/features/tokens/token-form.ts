import dayjs from 'dayjs'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { isAddressOrRange, responseCacheChoices, tokenRoutes, type ResponseCacheChoice } from '@tollgate/contract'
import * as z from 'zod'

import { addressesOf, modelsOf } from './token-text'
import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { pickerTime } from '../../components/fields/time-field'

type Token = tokenRoutes.TokenEntity

/** Values of the drawer. */
export interface TokenValues {
  name: string
  /** Number of tokens to create. */
  count: number | string
  /** Text of the date picker, in the reader's time zone; null: never. */
  expiry: string | null
  quota: number | string
  isUnlimited: boolean
  /** Null: the owner's own. */
  group: string | null
  /** Empty: all models. */
  models: string[]
  /** One address or range per line. */
  ips: string
  isRateLimited: boolean
  ratePeriod: number | string
  rateCount: number | string
  rateSuccess: number | string
  /** Whether its calls use the response cache. */
  responseCache: ResponseCacheChoice
}

/** The specification's defaults. */
export const newTokenValues: TokenValues = {
  name: '',
  count: 1,
  expiry: null,
  quota: 500_000,
  isUnlimited: false,
  group: null,
  models: [],
  ips: '',
  isRateLimited: false,
  ratePeriod: 60,
  rateCount: 1000,
  rateSuccess: 10,
  responseCache: 'group',
}

/** Maximum created in one batch. */
export const maxCreated = 100

export const valuesOf = (token: Token): TokenValues => ({
  name: token.name,
  count: 1,
  expiry: token.expired_time === -1 ? null : pickerTime(token.expired_time),
  quota: token.remain_quota,
  isUnlimited: token.unlimited_quota,
  group: token.group || null,
  models: token.model_limits_enabled ? modelsOf(token.model_limits) : [],
  ips: token.allow_ips,
  isRateLimited: token.rate_limit_enabled,
  ratePeriod: token.rate_limit_period,
  rateCount: token.rate_limit_count,
  rateSuccess: token.rate_limit_success,
  responseCache: token.response_cache,
})

/** Returns the fields to send; the server validates them again. */
export const fieldsOf = (values: TokenValues) => ({
  name: values.name.trim(),
  expired_time: values.expiry === null ? -1 : dayjs(values.expiry).unix(),
  remain_quota: Number(values.quota),
  unlimited_quota: values.isUnlimited,
  group: values.group ?? '',
  model_limits_enabled: values.models.length > 0,
  model_limits: values.models.join(','),
  allow_ips: addressesOf(values.ips).join('\n'),
  rate_limit_enabled: values.isRateLimited,
  rate_limit_period: Number(values.ratePeriod),
  rate_limit_count: Number(values.rateCount),
  rate_limit_success: Number(values.rateSuccess),
  response_cache: values.responseCache,
})
type TokenFields = ReturnType<typeof fieldsOf>

/** Returns the changed fields of an edit. A quota is sent along with its original value, so that spending in between is preserved. */
export function editOf(before: Token, after: TokenValues): Omit<tokenRoutes.TokenEdit, 'id'> {
  const changes = changedFields(valuesOf(before), after)
  return { ...changes, ...('remain_quota' in changes && { remain_quota_read: before.remain_quota }) }
}

function changedFields(before: TokenValues, after: TokenValues): Partial<TokenFields> {
  const old = new Map<string, unknown>(Object.entries(fieldsOf(before)))
  return Object.fromEntries(Object.entries(fieldsOf(after)).filter(([name, value]) => old.get(name) !== value))
}

type TokenFault =
  | 'nameEmpty'
  | 'nameLong'
  | 'count'
  | 'expiry'
  | 'quota'
  | 'models'
  | 'address'
  | 'ips'
  | 'period'
  | 'calls'

/** Validates the drawer; `say` returns the message of a fault. */
export function tokenSchema(messageOf: (fault: TokenFault, parameters?: Record<string, string | number>) => string) {
  const whole = (fault: TokenFault, min: number, max: number) =>
    z.custom<number | string>(
      (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
      messageOf(fault, { least: min, most: max }),
    )
  const letters = (name: string) => Array.from(name.trim()).length
  return z.object({
    name: z
      .string()
      .refine((name) => letters(name) > 0, messageOf('nameEmpty'))
      .refine(
        (name) => letters(name) <= tokenRoutes.maxTokenNameLength,
        messageOf('nameLong', { most: tokenRoutes.maxTokenNameLength }),
      ),
    count: whole('count', 1, maxCreated),
    expiry: z.custom<string | null>((value) => value === null || isTime(value), messageOf('expiry')),
    quota: whole('quota', 0, tokenRoutes.maxTokenQuota),
    isUnlimited: z.boolean(),
    group: z.string().nullable(),
    models: z
      .array(z.string())
      .refine((models) => models.join(',').length <= tokenRoutes.maxModelLimitsLength, messageOf('models')),
    ips: z.string().superRefine((ips, context) => {
      const wrong = addressesOf(ips).find((address) => !isAddressOrRange(address))
      if (wrong !== undefined) context.addIssue(messageOf('address', { address: wrong }))
      else if (ips.length > tokenRoutes.maxAllowedIpsLength) context.addIssue(messageOf('ips'))
    }),
    isRateLimited: z.boolean(),
    ratePeriod: whole('period', 1, maxRate),
    rateCount: whole('calls', 0, maxRate),
    rateSuccess: whole('calls', 0, maxRate),
    responseCache: z.enum(responseCacheChoices),
  })
}

const maxRate = 1_000_000_000

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && dayjs(value).isValid() && dayjs(value).unix() > 0

export type TokenForm = UseFormReturnType<TokenValues>

/** The form of the drawer; addresses are validated while typing. */
export function useTokenForm(initialValues: TokenValues): TokenForm {
  const { t } = useTranslation('tokens')
  return useForm<TokenValues>({
    initialValues,
    validate: checkedBy(
      tokenSchema((fault, parameters) => t(`fault.${fault}`, parameters ?? {})),
      (sentence) => sentence,
    ),
    // Not the name: it is the first field, and often left empty at first.
    validateInputOnBlur: ['count', 'quota', 'ratePeriod', 'rateCount', 'rateSuccess'],
    validateInputOnChange: ['ips'],
  })
}

/** Fields where the server's refusals are shown. */
export const fieldOfRefusal = {
  'token.name_empty': 'name',
  'token.name_long': 'name',
  'token.expiry': 'expiry',
  'token.quota': 'quota',
  'token.models': 'models',
  'token.ips': 'ips',
  'token.group': 'group',
} as const
