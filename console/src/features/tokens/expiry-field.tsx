import dayjs from 'dayjs'

import { QuickPicks } from '../../components/fields/quick-picks'
import { TimeField } from '../../components/fields/time-field'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { pickerTime } from './token-values'
import type { TokenForm } from './use-token-form'

const picks = [
  ['hour', 3_600],
  ['day', 86_400],
  ['month', 30 * 86_400],
] as const

/** Expiry of the token. */
export function ExpiryField({ form }: { readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const { ago } = useFormat()
  const { expiry } = form.values
  const set = (value: string | null) => form.setFieldValue('expiry', value)
  const inSeconds = (seconds: number) => set(pickerTime(Math.floor(Date.now() / 1000) + seconds))
  return (
    <div>
      <TimeField
        label={t('field.expiry')}
        placeholder={t('expiry.never')}
        description={expiry === null || !dayjs(expiry).isValid() ? undefined : ago(dayjs(expiry).unix())}
        {...form.getInputProps('expiry')}
      />
      <QuickPicks
        label={t('field.expiry')}
        picks={[
          { text: t('expiry.never'), onPick: () => set(null) },
          ...picks.map(([unit, seconds]) => ({ text: t(`expiry.${unit}`), onPick: () => inSeconds(seconds) })),
        ]}
      />
    </div>
  )
}
