import { Stack } from '@mantine/core'
import { optionOf, type OptionKey } from '@tollgate/contract'

import { ConfirmDialog } from '../../components/dialogs/confirm-dialog'
import { UnusualAmounts } from '../../components/dialogs/second-look'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import type { risksOf } from './risks'
import { unusualValue } from './unusual-value'
import { useOptionText } from './use-option-text'
import type { Settings } from './use-settings'

interface RiskDialogProps {
  readonly risks: ReturnType<typeof risksOf>
  readonly settings: Settings
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly onCancel: () => void
}

/** Says what the changes may do to people, a paragraph for each effect, before they are saved. */
export function RiskDialog({ risks, settings, ...choice }: RiskDialogProps) {
  const { t } = useTranslation('settings')
  const amountOf = useUnusualAmount(settings)
  const unusual = risks.flatMap(({ risk, keys: [key] }) => (risk === 'largeAmount' && key ? amountOf(key) : []))
  return (
    <ConfirmDialog
      title={t('risk.title')}
      question={
        <Stack gap="sm">
          {risks.map(({ risk }) => risk !== 'largeAmount' && <div key={risk}>{t(`risk.${risk}`)}</div>)}
          <UnusualAmounts amounts={unusual} />
        </Stack>
      }
      confirmText={t('risk.confirm')}
      {...choice}
    />
  )
}

function useUnusualAmount(settings: Settings) {
  const { label } = useOptionText()
  const { number, dollars, quotaInDollars } = useFormat()
  return (key: OptionKey) => {
    const found = unusualValue(key, settings.row(key)?.value, settings.draft(key) ?? '')
    if (!found) return []
    const { unit } = optionOf(key)
    const show = unit === 'quota' ? quotaInDollars : unit === 'usd' ? dollars : number
    return [{ name: [label(key), found.entry].filter(Boolean).join(' → '), amount: show(found.value) }]
  }
}
