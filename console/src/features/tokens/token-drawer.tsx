import { Divider, Text } from '@mantine/core'
import { tokenRoutes } from '@tollgate/contract'

import { OwnGroupSelect } from '../../components/combobox/group-select'
import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { type UnusualAmount, useSecondLook, useUnusualQuota } from '../../components/dialogs/use-second-look'
import { QuotaField } from '../../components/fields/quota-field'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'
import { ExpiryField, LimitFields, NameFields, RateFields, ResponseCacheField } from './token-fields'
import { newTokenValues, type TokenValues, useTokenForm, valuesOf } from './token-form'
import { useSaveToken, type Created } from './use-save-token'
import { LimitsSection } from '../../domain/limits/limits-section'
import { isUnusual } from '../../lib/text/unusual'
import { useFormat } from '../../lib/text/use-format'
import { Facts } from '../../components/facts'
import { TimeAgo } from '../../components/time-ago'

type Token = tokenRoutes.TokenEntity

interface TokenDrawerProps {
  /** Id of the token to edit; undefined: a new one. */
  readonly id: number | undefined
  readonly onCreated: (created: Created) => void
  readonly onClose: () => void
}

/** Creates tokens, or edits one. */
export function TokenDrawer({ id, ...rest }: TokenDrawerProps) {
  return id === undefined ? <EditedToken {...rest} /> : <LoadedToken key={id} id={id} {...rest} />
}

function LoadedToken({ id, ...rest }: TokenDrawerProps & { readonly id: number }) {
  const { t } = useTranslation('tokens')
  const read = useRead(tokenRoutes.getToken, { params: { id } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('edit')} read={read} onClose={rest.onClose}>
      {(token) => <EditedToken token={token} {...rest} />}
    </LoadedDrawer>
  )
}

interface EditedTokenProps extends Omit<TokenDrawerProps, 'id'> {
  readonly token?: Token
}

function EditedToken({ token, onCreated, onClose }: EditedTokenProps) {
  const { t } = useTranslation('tokens')
  const form = useTokenForm(token ? valuesOf(token) : newTokenValues)
  const { save, isSaving, saved } = useSaveToken({ token, form, onCreated, onSaved: onClose })
  const count = Number(form.values.count)
  const unusualLimits = useUnusualLimits(token)
  const { isMeant, dialog } = useSecondLook()
  return (
    <FormDrawer
      isOpen
      title={t(token ? 'edit' : 'create')}
      isDirty={form.isDirty()}
      isSaving={isSaving}
      saveText={token ? undefined : count > 1 ? t('createMany', { count }) : t('create')}
      onSave={form.onSubmit(async (values) => {
        if (await isMeant(unusualLimits(values))) await save(values)
      })}
      onClose={onClose}
      footer={
        isSaving && count > 1 ? (
          <Text size="sm" c="dimmed" mr="auto" className="figures" aria-live="polite">
            {t('common:run.progress', { done: saved, total: count })}
          </Text>
        ) : undefined
      }
    >
      {dialog}
      {token && <LastUse token={token} />}
      <NameFields form={form} isNew={!token} />
      <ExpiryField form={form} />
      <QuotaField
        label={t('field.quota')}
        unlimited={{
          label: t('field.unlimited'),
          hint: t('unlimitedHint'),
          isOn: form.values.isUnlimited,
          // An unlimited quota must not be blocked by an empty amount.
          onChange: (isUnlimited) => form.setValues({ isUnlimited, quota: Number(form.values.quota) }),
        }}
        {...form.getInputProps('quota')}
      />
      <OwnGroupSelect
        label={t('field.group')}
        placeholder={t('group.own')}
        noneText={t('group.none')}
        isClearable
        {...form.getInputProps('group')}
      />
      <Divider label={t('limits')} labelPosition="left" />
      <LimitFields form={form} />
      <RateFields form={form} />
      <ResponseCacheField form={form} />
      {token && (
        <LimitsSection owner={{ owner: 'token', ref: String(token.id), name: token.name, isOwn: true }} mayWrite />
      )}
    </FormDrawer>
  )
}

/** Returns a function that finds the limits of a token that are far above the usual: the quota, and how many calls it may make. */
function useUnusualLimits(token: tokenRoutes.TokenEntity | undefined) {
  const { t } = useTranslation('tokens')
  const { number } = useFormat()
  const unusualQuota = useUnusualQuota()
  const usualCalls = Number(newTokenValues.rateCount)
  const calls = (name: string, typed: number | string, before = 0): readonly UnusualAmount[] =>
    isUnusual(Number(typed), before, usualCalls) ? [{ name, amount: number(Number(typed)) }] : []
  return ({ isUnlimited, quota, isRateLimited, rateCount, rateSuccess }: TokenValues): readonly UnusualAmount[] => [
    ...(isUnlimited ? [] : unusualQuota(t('field.quota'), Number(quota), token?.remain_quota)),
    ...(isRateLimited
      ? [
          ...calls(t('field.rateCount'), rateCount, token?.rate_limit_count),
          ...calls(t('field.rateSuccess'), rateSuccess, token?.rate_limit_success),
        ]
      : []),
  ]
}

/** Time and address of a token's last use. */
function LastUse({ token }: { readonly token: tokenRoutes.TokenEntity }) {
  const { t } = useTranslation('tokens')
  const { accessed_time: at, last_ip: ip } = token
  return (
    <Facts
      facts={[
        [t('column.used'), at === 0 ? t('neverUsed') : <TimeAgo key="at" at={at} />],
        [t('column.ip'), at > 0 && (ip || t('ipNotRecorded'))],
      ]}
    />
  )
}
