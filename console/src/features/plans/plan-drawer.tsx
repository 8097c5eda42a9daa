import { Stack, Text } from '@mantine/core'
import { planRoutes, type ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { FormDrawer } from '../../components/dialogs/form-drawer'
import { FormFailure } from '../../components/dialogs/form-failure'
import { useSecondLook, useUnusualQuota } from '../../components/dialogs/use-second-look'
import { PanelSection } from '../../components/peek/panel-section'
import { LimitsEditor, useLimitsEditor } from '../../domain/limits/limits-editor'
import { focusFirstFault } from '../../lib/api/form-errors'
import { useWrite } from '../../lib/api/query'
import { notifySuccess } from '../../lib/browser/notify'
import { useTranslation } from '../../lib/text/i18n'
import { planReads, type PlanSales } from './plan-data'
import { PlanFields } from './plan-fields'
import { fieldOfRefusal, fieldsOf, newPlanValues, usePlanForm, valuesOf } from './plan-form'

interface PlanDrawerProps {
  /** Undefined: a new one. */
  readonly plan: PlanSales | undefined
  readonly onClose: () => void
}

const width = 560

/** Creates a plan, or edits one with its limits. */
export function PlanDrawer({ plan, onClose }: PlanDrawerProps) {
  const { t } = useTranslation('plans', 'plan', 'limits')
  const form = usePlanForm(plan ? valuesOf(plan) : newPlanValues)
  const limits = useLimitsEditor(plan?.windows ?? [], 'plan')
  const { save, isSaving, failure } = useSavePlan({ plan, form, limits, onSaved: onClose })
  const unusualQuota = useUnusualQuota()
  const { isMeant, dialog } = useSecondLook()
  const submit = async () => {
    const [own, ofLimits] = [form.validate(), limits.form.validate()]
    if (own.hasErrors) return focusFirstFault(own.errors)
    if (ofLimits.hasErrors) return limits.showFaults(ofLimits.errors)
    if (!(await isMeant(unusualQuota(t('field.price'), Number(form.values.price), plan?.price)))) return undefined
    return save({ ...fieldsOf(form.values), windows: limits.settings() })
  }
  return (
    <FormDrawer
      isOpen
      title={t(plan ? 'edit' : 'add')}
      width={width}
      isDirty={form.isDirty() || limits.form.isDirty()}
      isSaving={isSaving}
      onSave={() => void submit()}
      onClose={onClose}
    >
      {dialog}
      {plan && plan.active > 0 && (
        <Text size="sm" c="dimmed">
          {t('hint.changes')}
        </Text>
      )}
      <PlanFields form={form} />
      <PanelSection title={t('limits')}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('hint.limits')}
        </Text>
        <Stack gap="md">
          <LimitsEditor editor={limits} owner={{ owner: 'plan' }} />
        </Stack>
      </PanelSection>
      <FormFailure error={failure} />
    </FormDrawer>
  )
}

interface SavedForms {
  readonly plan: PlanSales | undefined
  readonly form: ReturnType<typeof usePlanForm>
  readonly limits: ReturnType<typeof useLimitsEditor>
  readonly onSaved: () => void
}

/** Saves a plan, and shows a refusal at its field. */
function useSavePlan({ plan, form, limits, onSaved }: SavedForms) {
  const { t } = useTranslation('plans')
  const [failure, setFailure] = useState<ApiError>()
  const onError = (error: ApiError) => {
    const { code, field } = error
    const own = Object.entries(fieldOfRefusal).find(([refusal]) => refusal === code)?.[1]
    if (own) {
      form.setFieldError(own, error.message)
      focusFirstFault({ [own]: error.message })
    } else if (field?.startsWith('windows.')) {
      limits.form.setFieldError(field, error.message)
      limits.showFaults({ [field]: error.message })
    } else setFailure(error)
  }
  const onSuccess = () => {
    notifySuccess(t(plan ? 'saved' : 'created'))
    onSaved()
  }
  const create = useWrite(planRoutes.createPlan, { changes: planReads, onSuccess, onError })
  const update = useWrite(planRoutes.updatePlan, { changes: planReads, onSuccess, onError })
  return {
    isSaving: create.isPending || update.isPending,
    failure,
    save: (body: planRoutes.PlanSettings) => {
      setFailure(undefined)
      if (plan) update.mutate({ params: { id: plan.id }, body })
      else create.mutate({ body })
    },
  }
}
