import { TextInput } from '@mantine/core'

import { useTranslation } from '../../../../lib/text/i18n'
import { draftFaults } from './price-draft'
import type { PriceDraft } from './price-fields'
import { partText, typedPart } from './price-parts'
import { priceParts } from './price-fields'
import classes from './prices.module.css'

interface PartFiguresProps {
  readonly draft: PriceDraft
  readonly isReadOnly: boolean
  readonly onChange: (draft: PriceDraft) => void
}

/** Prices of cache, image and audio tokens, in dollars per million. */
export function PartFigures({ draft, isReadOnly, onChange }: PartFiguresProps) {
  const { t } = useTranslation('channel-editor')
  const faults = draftFaults(draft)
  return (
    <div className={classes.parts}>
      {priceParts.map((part) => {
        const fault = faults[part]
        return (
          <div key={part} className={classes.part} data-label={t(`prices.part.${part}`)}>
            <TextInput
              size="xs"
              aria-label={t(`prices.part.${part}`)}
              inputMode="decimal"
              leftSection="$"
              leftSectionWidth={20}
              readOnly={isReadOnly}
              value={draft.isReset ? '' : partText(draft, part)}
              error={fault && t(`prices.fault.${fault}`)}
              onChange={(event) => onChange(typedPart(draft, part, event.currentTarget.value))}
            />
          </div>
        )
      })}
    </div>
  )
}
